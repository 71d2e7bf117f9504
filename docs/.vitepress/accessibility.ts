/**
 * Mends what VitePress's components lack for people who use a screen reader or the keyboard: the first page has no
 * `main`, the search box has the role of a button, and nothing says how many results there are, or that the index is
 * still loading. It becomes a combobox with a list of options. Escape leads back to the button that opened the search or the menu.
 */
import { basename } from "node:path";
import type { Plugin } from "vite";

const STATUS = `<p class="search-status" :class="{ 'visually-hidden': searchIndex }" role="status">{{ !searchIndex
  ? "Loading the search …" : filterText && (results.length || enableNoResults)
  ? (results.length || "No") + (results.length === 1 ? " result" : " results") : "" }}</p>`;
const COMBOBOX = `role="combobox" aria-autocomplete="list" aria-haspopup="listbox"
  :aria-expanded="results?.length ? 'true' : 'false'"`;
const OPTION = `<li v-for="(p, index) in results" :key="p.id" role="none"><a role="option" tabindex="-1"
  :id="'localsearch-item-' + index" :aria-selected="selectedIndex === index ? 'true' : 'false'" `;

/** Back to the button that opened the search; a key may have opened it. */
const REFOCUS = `
const opener = document.activeElement instanceof HTMLButtonElement ? document.activeElement : undefined
onKeyStroke('Escape', () => {
  setTimeout(() => (opener ?? document.querySelector<HTMLElement>('.DocSearch-Button'))?.focus())
`;
/** Escape closes the menu of a narrow screen, and returns to its button. */
const ESCAPE = `useNav()
if (inBrowser) {
  const onKey = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || !isScreenOpen.value) return
    closeScreen()
    document.querySelector<HTMLElement>('.VPNavBarHamburger')?.focus()
  }
  onMounted(() => addEventListener('keydown', onKey))
  onUnmounted(() => removeEventListener('keydown', onKey))
}
`;

/** Of each component, the texts before and after. */
const MENDED: Readonly<Record<string, readonly (readonly [before: RegExp, after: string])[]>> = {
  "VPHome.vue": [
    [/<div\s+class="VPHome"/, '<main class="VPHome"'],
    [/<\/div>\s+<\/template>\s+<style/, "</main></template><style"],
  ],
  // The text of the button is its name, also where only an icon is seen.
  "VPNavBarSearchButton.vue": [[/:aria-label="[^"]*"/, ""]],
  "VPNav.vue": [
    [/useNav\(\)\n/, ESCAPE],
    [/computed, provide/, "computed, onMounted, onUnmounted, provide"],
  ],
  "VPLocalSearchBox.vue": [
    [/\nonKeyStroke\('Escape', \(\) => \{\n/, REFOCUS],
    [/role="button"[^>]*?aria-labelledby="localsearch-label"/, 'role="dialog" aria-modal="true" aria-label="Search"'],
    [/aria-autocomplete="both"/, COMBOBOX],
    [/type="search"/, 'type="text"'],
    [/<ul\s/, `${STATUS}<ul `],
    [/<li\s+v-for="\(p, index\) in results"[\s\S]*?<a\s/, OPTION],
    [/:aria-label="\[\.\.\.p\.titles[^"]*"/, ""],
    [/class="title-icon"/, 'class="title-icon" aria-hidden="true"'],
    [/<kbd :aria-label/g, '<kbd role="img" :aria-label'],
  ],
};

const missing = new Set(Object.keys(MENDED));

/** Fails if VitePress no longer has one of the components, or one of the texts. */
export const accessibility: Plugin = {
  name: "accessibility",
  enforce: "pre",
  transform(code, id) {
    missing.delete(basename(id));
    return MENDED[basename(id)]?.reduce((mended, [before, after]) => {
      if (mended.search(before) === -1) throw new Error(`${basename(id)} has changed: no ${before}`);
      return mended.replace(before, after);
    }, code);
  },
  generateBundle() {
    if (missing.size > 0) throw new Error(`VitePress has no ${[...missing].join(", ")}`);
  },
};
