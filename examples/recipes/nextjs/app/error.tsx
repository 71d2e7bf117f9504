"use client";

/** For what no `Kept` has caught, such as an action while the server is away. */
export default function Failure() {
  return (
    <main>
      <p role="alert">This did not work.</p>
      <button type="button" onClick={() => location.reload()}>
        Load the page again
      </button>
    </main>
  );
}
