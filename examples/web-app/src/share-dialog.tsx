import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Permission } from "notetaker-sdk";
import { useRef, useState } from "react";
import { permissionsQuery, revoke, shareWithAnyone } from "./api";
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
  const share = useMutation({
    mutationFn: () => shareWithAnyone(id),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: (permissionId: string) => revoke(id, permissionId),
    onSuccess,
  });
  const [isCopied, setCopied] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  async function copy() {
    try {
      await navigator.clipboard.writeText(url);
      setCopied(true);
      setTimeout(() => setCopied(false), 2_000);
    } catch {
      field.current?.select(); // the browser denies it: to be copied by hand
    }
  }

  const isPublic = permissions.some(({ recipient }) => isAnyone(recipient));
  return (
    <Dialog title="Share this meeting" isOpen={isOpen} close={close}>
      {isPublic ? (
        <div className="row">
          <input
            ref={field}
            aria-label="Link to share"
            readOnly
            value={url}
            onFocus={({ target }) => target.select()}
          />
          <button type="button" className="primary" onClick={copy}>
            {isCopied ? "Copied" : "Copy link"}
          </button>
        </div>
      ) : (
        <button
          type="button"
          className="primary"
          disabled={share.isPending}
          onClick={() => share.mutate()}
        >
          Share with a link
        </button>
      )}
      <ul className="permissions" aria-label="Who can read it">
        {permissions.map(({ id: permissionId, recipient }) => (
          <li key={permissionId}>
            {nameOf(recipient)}
            <button
              type="button"
              disabled={remove.isPending}
              onClick={() => remove.mutate(permissionId)}
            >
              Revoke
            </button>
          </li>
        ))}
        {permissions.length === 0 && <li className="quiet">Only you.</li>}
      </ul>
      {share.error && <p role="alert">{sentenceOf(share.error, "share")}</p>}
      {remove.error && <p role="alert">{sentenceOf(remove.error, "revoke")}</p>}
    </Dialog>
  );
}

const isAnyone = ({ type }: Permission["recipient"]) => type === "anyone";

/** The service may know further recipients, with names that it does not document. */
const nameOf = (recipient: Permission["recipient"]) =>
  isAnyone(recipient)
    ? "Anyone with the link"
    : String(recipient.email ?? recipient.name ?? recipient.type);
