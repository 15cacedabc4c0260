// Builds HTML in which every value is escaped, except values of type `Markup`. Pure.

export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | boolean | null | undefined | Markup | readonly Value[];

const textOf = (value: Value): string => {
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(textOf).join('');
  return value === null || value === undefined || typeof value === 'boolean' ? '' : Bun.escapeHTML(String(value));
};

export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Markup =>
  new Markup(parts.map((part, at) => part + textOf(values[at])).join(''));
