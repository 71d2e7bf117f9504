/** The lock of a store in a database: a lease by the clock of the database. */
import { expect, test, vi } from "vitest";
import { itemOf, locked } from "../sync/store/store-items.js";
import type { OpenedDatabase } from "./databases.js";

/** The time in a column: a text, or a `Date` of pg. */
export const timeIn = (value: unknown) => (value === null ? null : new Date(value as string).toISOString());

export function describeLease(db: () => OpenedDatabase): void {
  const heldUntil = async () => timeIn((await db().query("SELECT held_until FROM notetaker_accounts"))[0]?.held_until);

  test("a lease that was not renewed for three minutes ends, by the clock of the database", async () => {
    const [store, other] = [db().store(), db().store()];
    const slept = await locked(store);
    const held = await other.lock?.();
    expect(held).toEqual({ heldUntil: new Date(String(await heldUntil())) });
    expect(await other.lock?.()).toEqual(held);
    await db().moveLease(-179);
    expect(await other.lock?.()).toHaveProperty("heldUntil");
    await db().moveLease(-2);
    const lock = await locked(other);
    await expect(store.write({ items: [], removed: [] }, slept)).rejects.toMatchObject({ name: "StoreLockLostError" });
    // The end of a lease that was lost leaves the next one alone.
    await slept.release();
    expect(await db().store().lock?.()).toHaveProperty("heldUntil");
    // A write renews it.
    await db().moveLease(-120);
    const before = await heldUntil();
    expect(await other.write({ items: [itemOf("mtg_1")], removed: [] }, lock)).toEqual([]);
    expect(Date.parse(String(await heldUntil())) - Date.parse(String(before))).toBeGreaterThan(100_000);
    // One that ends further ahead than three minutes is of a clock that was set back.
    await db().moveLease(60);
    await (await locked(db().store())).release();
    await lock.release();
  });

  test("a lease is renewed each minute until it is released or lost", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const store = db().store();
    const lock = await locked(store);
    expect(vi.getTimerCount()).toBe(1);
    await db().moveLease(-170);
    const before = await heldUntil();
    vi.advanceTimersByTime(60_000);
    await vi.waitFor(async () => expect(await heldUntil()).not.toBe(before), { timeout: 60_000 });
    await lock.release();
    expect(vi.getTimerCount()).toBe(0);
    expect(await heldUntil()).toBeNull();

    // It notices at its next renewal that it was lost.
    await locked(store);
    await db().moveLease(-181);
    const taken = await locked(db().store());
    vi.advanceTimersByTime(60_000);
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), { timeout: 60_000 });
    await taken.release();
    expect(vi.getTimerCount()).toBe(0);
  });
}
