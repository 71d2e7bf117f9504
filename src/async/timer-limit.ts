/** The longest delay of a timer, in milliseconds. With a longer delay, a timer fires at once. */
export const MAX_TIMER_MS = 2_147_483_647;
