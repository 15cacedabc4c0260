// Compiles and renders Liquid templates of merchants. A template reads the variables that it is given and nothing else; its
// tags, filters, time, memory and output are limited.
import { Context, type Emitter, Liquid, LiquidError, type Template, toValueSync } from 'liquidjs';

/** Values of a template: texts, numbers, lists and records of them. */
export type TemplateValue = string | number | boolean | null | readonly TemplateValue[] | TemplateValues;
export interface TemplateValues {
  readonly [name: string]: TemplateValue;
}

/** Describes an error in a template. Lines and columns count from 1. */
export class TemplateError {
  readonly line: number;
  readonly column: number;
  readonly reason: string;

  constructor(line: number, column: number, reason: string) {
    this.line = line;
    this.column = column;
    this.reason = reason;
  }
}

export interface CompiledTemplate {
  /** Returns the text, or the error. `strict` also reports a variable that does not exist. */
  render(values: TemplateValues, options?: { readonly strict?: boolean }): string | TemplateError;
}

export interface TemplateEngine {
  compile(source: string): CompiledTemplate | TemplateError;
}

const SOURCE_CHARACTERS_MAX = 100_000;
const OUTPUT_CHARACTERS_MAX = 300_000;
const RENDER_MS_MAX = 500;
const MEMORY_MAX = 2_000_000;

const TAGS = new Set([
  'assign',
  'break',
  'capture',
  'case',
  'comment',
  'continue',
  'cycle',
  'for',
  'if',
  'raw',
  'render',
  'unless',
]);

const FILTERS = new Set([
  'append',
  'capitalize',
  'default',
  'divided_by',
  'downcase',
  'first',
  'join',
  'last',
  'minus',
  'modulo',
  'plus',
  'prepend',
  'remove',
  'replace',
  'round',
  'size',
  'slice',
  'split',
  'strip',
  'strip_newlines',
  'times',
  'truncate',
  'truncatewords',
  'upcase',
  'url_encode',
]);

const bounded = (text: string): string => {
  if (text.length > OUTPUT_CHARACTERS_MAX) throw new Error(`output is longer than ${OUTPUT_CHARACTERS_MAX} characters`);
  return text;
};

class BoundedEmitter implements Emitter {
  buffer = '';

  write(value: unknown): void {
    this.buffer = bounded(this.buffer + String(value ?? ''));
  }
}

/** The library appends the position and its own context to each message. */
const reasonOf = (problem: unknown): string =>
  (problem instanceof Error ? problem.message : String(problem)).replace(/, (?:line|file):[\s\S]*$/, '');

const errorOf = (problem: unknown): TemplateError => {
  if (!LiquidError.is(problem)) return new TemplateError(1, 1, reasonOf(problem));
  const [line = 1, column = 1] = problem.token.getPosition();
  return new TemplateError(line, column, reasonOf(problem));
};

const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

/** `parts` are templates that `{% render 'name' %}` inserts. `escapeValue` is applied to every value that a template outputs. */
export const openTemplateEngine = (
  parts: Readonly<Record<string, string>>,
  escapeValue: (text: string) => string,
): TemplateEngine => {
  const liquid = new Liquid({
    templates: { ...parts },
    cache: true,
    dynamicPartials: true,
    outputEscape: (value: unknown) => bounded(escapeValue(bounded(textOf(value)))),
    strictFilters: true,
    lenientIf: true,
    ownPropertyOnly: true,
    parseLimit: SOURCE_CHARACTERS_MAX,
    renderLimit: RENDER_MS_MAX,
    memoryLimit: MEMORY_MAX,
  });
  for (const name of Object.keys(liquid.tags)) if (!TAGS.has(name)) delete liquid.tags[name];
  for (const name of Object.keys(liquid.filters)) if (!FILTERS.has(name)) liquid.unregisterFilter(name);
  // Every output is escaped, so this filter, which authors know, must not do it twice.
  liquid.registerFilter('escape', (value: unknown) => value);

  const compiled = (templates: Template[]): CompiledTemplate => ({
    render: (values, { strict = false } = {}) => {
      const context = new Context({ ...values }, liquid.options, { sync: true, strictVariables: strict });
      try {
        return String(toValueSync(liquid.renderer.renderTemplates(templates, context, new BoundedEmitter())));
      } catch (problem) {
        return errorOf(problem);
      }
    },
  });

  return {
    compile: (source) => {
      try {
        return compiled(liquid.parse(source));
      } catch (problem) {
        return errorOf(problem);
      }
    },
  };
};
