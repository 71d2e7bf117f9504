/** The longest delay that a timer can take, in milliseconds: with a longer one it fires at once. */
export const MAX_TIMER_MS = 2_147_483_647;
