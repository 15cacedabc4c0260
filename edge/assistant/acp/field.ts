// Reads typed fields of a JSON request. An absent field is undefined, null stays null, and a field of the wrong type is
// recorded as a refusal.
import { type Refusal, refuse } from '#runtime/call/call.ts';

type Read<T> = T | null | undefined;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export class Fields {
  readonly #value: Readonly<Record<string, unknown>>;
  readonly #path: string;
  readonly #wrong: string[];

  private constructor(value: Readonly<Record<string, unknown>>, path: string, wrong: string[]) {
    this.#value = value;
    this.#path = path;
    this.#wrong = wrong;
  }

  static of(value: unknown): Fields | Refusal {
    return isObject(value) ? new Fields(value, '$', []) : refuse('invalid_request', 'The body must be a JSON object.');
  }

  get wrong(): Refusal | null {
    const [param] = this.#wrong;
    return param === undefined
      ? null
      : refuse('invalid_request', `${param} is missing, of the wrong type, or none of its values.`, { param });
  }

  get value(): unknown {
    return this.#value;
  }

  text(name: string): Read<string> {
    return this.#read(name, (value): value is string => typeof value === 'string');
  }

  number(name: string): Read<number> {
    return this.#read(name, (value): value is number => typeof value === 'number');
  }

  texts(name: string): Read<readonly string[]> {
    return this.#read(
      name,
      (value): value is string[] => Array.isArray(value) && value.every((each) => typeof each === 'string'),
    );
  }

  part(name: string): Read<Fields> {
    const value = this.#read(name, isObject);
    return value && new Fields(value, `${this.#path}.${name}`, this.#wrong);
  }

  parts(name: string): Read<readonly Fields[]> {
    const value = this.#read(
      name,
      (each): each is Readonly<Record<string, unknown>>[] => Array.isArray(each) && each.every(isObject),
    );
    return (
      value?.map((each, at) => new Fields(each, `${this.#path}.${name}[${at}]`, this.#wrong)) ??
      (value as null | undefined)
    );
  }

  choice(name: string, choices: readonly string[]): void {
    const value = this.text(name);
    if (typeof value === 'string' && !choices.includes(value)) this.#wrong.push(`${this.#path}.${name}`);
  }

  needs(name: string): void {
    if (this.#value[name] === undefined || this.#value[name] === null) this.#wrong.push(`${this.#path}.${name}`);
  }

  #read<T>(name: string, is: (value: unknown) => value is T): Read<T> {
    const value = this.#value[name];
    if (value === undefined || value === null) return value;
    if (is(value)) return value;
    this.#wrong.push(`${this.#path}.${name}`);
    return undefined;
  }
}
