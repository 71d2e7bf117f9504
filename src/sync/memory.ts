/** The memory that stays of a meeting which somebody has had removed for good. It is no memory of a meeting. */
export const FORGOTTEN = "forgotten";
