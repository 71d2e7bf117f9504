/** The editor of a program, with colours and line numbers. It is loaded at the first edit. */
import { createEditor } from "prism-code-editor";
import "prism-code-editor/prism/languages/typescript";
import "prism-code-editor/layout.css";

export interface Editor {
  readonly focus: () => void;
  /** Marks a line, or none. */
  readonly mark: (line: number | undefined) => void;
  readonly remove: () => void;
}

/** Tab leaves the editor, as it does any other text field. */
export function openEditor(
  element: HTMLElement,
  value: string,
  hint: string,
  onUpdate: (code: string) => void,
): Editor {
  const editor = createEditor(element, { language: "typescript", value, onUpdate });
  const { textarea } = editor;
  textarea.setAttribute("aria-label", "Program");
  textarea.setAttribute("aria-describedby", hint);
  // After the current task, because the editor makes its lines then.
  const lines = () => element.querySelectorAll(".pce-line");
  return {
    focus: () => textarea.focus(),
    mark(line) {
      for (const [index, one] of [...lines()].entries()) one.classList.toggle("wrong", index + 1 === line);
    },
    remove: () => editor.remove(),
  };
}
