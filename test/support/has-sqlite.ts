const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

/** Whether `node:sqlite` is there, as it is in Node 22.16 and later. */
export const hasSqlite = major > 22 || (major === 22 && minor >= 16);
