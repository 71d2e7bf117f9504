import { type Theme, withBase } from "vitepress";
import theme from "vitepress/theme";
import { h } from "vue";
import "./style.css";

/** VitePress's own page for a wrong address has no main part. */
const notFound = () =>
  h("main", { class: "not-found" }, [
    h("h1", "There is no such page"),
    h("p", ["The search may find it, or ", h("a", { href: withBase("/") }, "start again"), "."]),
  ]);

/**
 * VitePress calls its search box a button, with fields and links inside, and gives each result a name that differs from
 * its text: assistive technology reads neither well.
 */
function mendSearch(): void {
  for (const box of document.querySelectorAll(".VPLocalSearchBox[role=button]")) {
    box.setAttribute("role", "dialog");
    box.setAttribute("aria-modal", "true");
    box.setAttribute("aria-label", "Search");
    for (const name of ["aria-expanded", "aria-haspopup", "aria-labelledby", "aria-owns"]) box.removeAttribute(name);
  }
  for (const result of document.querySelectorAll(".VPLocalSearchBox .result[aria-label]")) {
    result.removeAttribute("aria-label");
  }
  for (const button of document.querySelectorAll("button.DocSearch-Button[aria-label]")) {
    button.removeAttribute("aria-label");
  }
}

export default {
  extends: theme,
  Layout: () => h(theme.Layout, null, { "not-found": notFound }),
  enhanceApp() {
    if (typeof document === "undefined") return;
    new MutationObserver(mendSearch).observe(document.documentElement, { childList: true, subtree: true });
  },
} satisfies Theme;
