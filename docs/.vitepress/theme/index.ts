import { type Theme, withBase } from "vitepress";
import theme from "vitepress/theme";
import { h } from "vue";
import CopyPage from "./copy-page.vue";
import RunBlock from "./playground/run-block.vue";
import "./style.css";
import "./tables.css";
import "./home.css";
import "./print.css";
import WhatItDoes from "./what-it-does.vue";

/** The page for an unknown URL: VitePress's own page has no `main` element. */
const notFound = () =>
  h("main", { class: "not-found" }, [
    h("h1", "Page not found"),
    h("p", [
      "The search may find it. Or go to the ",
      h("a", { href: withBase("/start.html") }, "first steps"),
      ", the ",
      h("a", { href: withBase("/reference/") }, "reference"),
      " or the ",
      h("a", { href: withBase("/") }, "home page"),
      ".",
    ]),
  ]);

export default {
  extends: theme,
  Layout: () => h(theme.Layout, null, { "not-found": notFound, "doc-before": () => h(CopyPage) }),
  enhanceApp: ({ app }) => void app.component("RunBlock", RunBlock).component("WhatItDoes", WhatItDoes),
} satisfies Theme;
