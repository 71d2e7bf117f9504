/**
 * Gives an error class its name, also after a minifier has renamed the class. Also makes `instanceof` work across two
 * copies of the package (ESM beside CommonJS, or two versions): a class recognises its instances by a symbol from the
 * global registry. `fields` are the default fields of the instances.
 */
// biome-ignore lint/complexity/noBannedTypes: any class constructor, abstract ones included
export function brand(errorClass: Function, name: string, fields?: object): void {
  const marker = Symbol.for(`notetaker-sdk.${name}`);
  Object.assign(errorClass.prototype, { [marker]: true, name, ...fields });
  Object.defineProperty(errorClass, Symbol.hasInstance, {
    value(this: unknown, value: unknown) {
      // A user's own subclass inherits this method. For a subclass, the usual rule of `instanceof` applies.
      if (this !== errorClass) return Function.prototype[Symbol.hasInstance].call(this, value);
      return Object(value) === value && marker in (value as object);
    },
  });
}
