export const fromPath = () => {};
