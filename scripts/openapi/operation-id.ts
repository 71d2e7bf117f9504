/** `meetings.sendBot` is `meetingsSendBot`: generated clients name functions after it. */
export const operationId = (name: string) => name.replace(/[._]+(\w)/g, (_, letter: string) => letter.toUpperCase());
