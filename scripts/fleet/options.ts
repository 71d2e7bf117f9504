/** What a run of the fleet is, and what its service knows. */

export interface FleetOptions {
  accounts: number;
  workers: number;
  minutes: number;
  kills: number;
  /** How many meetings each of the first accounts has already had, and how many accounts these are. */
  history: number;
  histories: number;
  /** Each account has a meeting so often. */
  everyMs: number;
  tickMs: number;
  /** The shares of the events that are lost, and sent twice. */
  lost: number;
  doubled: number;
  port: number;
}

/** What the service knows of an account. */
export interface Truth {
  ids: string[];
  /** When the events of each new meeting were sent, and whether they were lost, or there was no webhook yet. */
  sent: Record<string, { at: number; isLost: boolean }>;
  /** When the attempt at a delivery of each meeting began that was the first to be accepted. */
  accepted: Record<string, number>;
  polls: number;
  all: number;
  webhooks: number;
}

/** What was killed or slowed down, and when (in milliseconds). */
export interface Outage {
  name: string;
  from: number;
  to: number;
}

export const customerName = (number: number) => `customer-${number}`;
export const tokenOf = (customer: string) => `token-of-${customer}`;
/** Whether an account has a long history. */
export const isLarge = (customer: string, { histories }: FleetOptions) => Number(customer.split("-")[1]) < histories;
/** The accounts to which something happens: a refused token, an end, a list that fails. */
export const fatesOf = ({ histories }: FleetOptions) => {
  const [revoked = "", leaving = "", failing = ""] = [0, 1, 2].map((number) => customerName(histories + number));
  return { revoked, leaving, failing };
};
