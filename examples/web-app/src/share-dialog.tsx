import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Permission } from "notetaker-sdk";
import { useRef, useState } from "react";
import { permissionsQuery, revoke, share } from "./api";
import { Dialog } from "./dialog";
import { sentenceOf } from "./sentence-of";

interface Props {
  id: string;
  url: string;
  permissions: readonly Permission[];
  isOpen: boolean;
  close(): void;
}

export function ShareDialog({ id, url, permissions, isOpen, close }: Props) {
  const queryClient = useQueryClient();
  const onSuccess = () =>
    queryClient.invalidateQueries({ queryKey: permissionsQuery(id).queryKey });
  const add = useMutation({
    mutationFn: (email?: string) => share(id, email),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: (permissionId: string) => revoke(id, permissionId),
    onSuccess,
  });
  const isPending = add.isPending || remove.isPending;

  return (
    <Dialog title="Share this meeting" isOpen={isOpen} close={close}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          const email = String(new FormData(form).get("email"));
          add.mutate(email, { onSuccess: () => form.reset() });
        }}
      >
        <div className="row">
          <input
            name="email"
            type="email"
            aria-label="Address of a colleague"
            placeholder="ada@example.com"
            onChange={add.reset}
          />
          <button type="submit" className="primary" disabled={isPending}>
            Share
          </button>
        </div>
      </form>
      {add.error && <p role="alert">{sentenceOf(add.error, "share")}</p>}
      {remove.error && <p role="alert">{sentenceOf(remove.error, "revoke")}</p>}
      <h3 id="readers">Who can read it</h3>
      <ul className="permissions" aria-labelledby="readers">
        <li>
          Everybody who uses this page
          {permissions.length === 0 && ", and nobody else."}
        </li>
        {permissions.map(({ id: permissionId, recipient }) => (
          <li key={permissionId}>
            {nameOf(recipient)}
            <button
              type="button"
              aria-label={`Revoke: ${nameOf(recipient)}`}
              disabled={isPending}
              onClick={() => remove.mutate(permissionId)}
            >
              Revoke
            </button>
          </li>
        ))}
      </ul>
      {permissions.some(({ recipient }) => isAnyone(recipient)) ? (
        <CopyLink url={url} />
      ) : (
        <button
          type="button"
          disabled={isPending}
          onClick={() => add.mutate(undefined)}
        >
          Share with a link
        </button>
      )}
    </Dialog>
  );
}

function CopyLink({ url }: { url: string }) {
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  async function copy() {
    field.current?.select(); // to be copied by hand, if the browser denies it
    await navigator.clipboard?.writeText(url).then(
      () => setCopied(true),
      () => {},
    );
  }
  return (
    <div className="row">
      <input ref={field} aria-label="Link to share" readOnly value={url} />
      <button type="button" onClick={copy}>
        {isCopied ? "Copied" : "Copy link"}
      </button>
    </div>
  );
}

const isAnyone = ({ type }: Permission["recipient"]) => type === "anyone";

/** The service may know further recipients, with names that it does not document. */
const nameOf = (recipient: Permission["recipient"]) =>
  isAnyone(recipient)
    ? "Anyone with the link"
    : String(recipient.email ?? recipient.name ?? recipient.type);
