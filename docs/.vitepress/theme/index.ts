import { type Theme, withBase } from "vitepress";
import theme from "vitepress/theme";
import { h } from "vue";
import "./style.css";

/** The page for an unknown URL: VitePress's own page has no `main` element. */
const notFound = () =>
  h("main", { class: "not-found" }, [
    h("h1", "Page not found"),
    h("p", ["The search may find it, or ", h("a", { href: withBase("/") }, "start again"), "."]),
  ]);

/**
 * Corrects the ARIA roles and names of VitePress's search. VitePress gives the search box the role of a button, and
 * each result the role of an option, with names that differ from their text. Assistive technology reads neither well.
 * Here the search becomes a dialog with a list of links.
 */
function mendSearch(): void {
  const each = (selector: string, mend: (element: HTMLElement) => void) => {
    for (const element of document.querySelectorAll<HTMLElement>(selector)) mend(element);
  };
  const without = (element: HTMLElement, ...names: string[]) => {
    for (const name of names) element.removeAttribute(name);
  };
  each(".VPLocalSearchBox[role=button]", (box) => {
    box.setAttribute("role", "dialog");
    box.setAttribute("aria-modal", "true");
    box.setAttribute("aria-label", "Search");
    without(box, "aria-expanded", "aria-haspopup", "aria-labelledby", "aria-owns");
  });
  each(".VPLocalSearchBox input", (input) =>
    without(input, "aria-activedescendant", "aria-controls", "aria-autocomplete"),
  );
  each(".VPLocalSearchBox [role=listbox]", (list) => without(list, "role", "aria-labelledby"));
  each(".VPLocalSearchBox li", (item) => without(item, "role", "aria-selected"));
  each(".VPLocalSearchBox .result", (result) => without(result, "aria-label"));
  each(".VPLocalSearchBox kbd[aria-label]:not([role])", (key) => key.setAttribute("role", "img"));
  each("button.DocSearch-Button", (button) => {
    // The button's text is its name. On a narrow screen it has no text, so it needs a label.
    if (button.innerText.trim() !== "") without(button, "aria-label");
    else if (!button.hasAttribute("aria-label")) button.setAttribute("aria-label", "Search");
  });
}

const ATTRIBUTES = ["role", "aria-label", "aria-selected", "aria-activedescendant"];

export default {
  extends: theme,
  Layout: () => h(theme.Layout, null, { "not-found": notFound }),
  enhanceApp() {
    if (typeof document === "undefined") return;
    new MutationObserver(mendSearch).observe(document.documentElement, {
      childList: true,
      subtree: true,
      attributeFilter: ATTRIBUTES,
    });
    globalThis.addEventListener("resize", mendSearch);
  },
} satisfies Theme;
