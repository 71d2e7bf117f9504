import { type ReactNode, useEffect, useId, useRef } from "react";

interface Props {
  title: string;
  isOpen: boolean;
  close(): void;
  children: ReactNode;
}

/** A modal dialog: the browser keeps the focus in it, and Escape closes it. */
export function Dialog({ title, isOpen, close, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (!isOpen) dialog.current?.close();
    else if (!dialog.current?.open) dialog.current?.showModal();
  }, [isOpen]);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={close}>
      <h2 id={id}>{title}</h2>
      {children}
      <button
        type="button"
        className="close"
        aria-label="Close"
        onClick={close}
      >
        ×
      </button>
    </dialog>
  );
}
