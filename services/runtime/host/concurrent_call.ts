// How many calls of one name are under way in this process.
export class ConcurrentCalls {
  readonly #counts = new Map<string, number>();

  enter(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  leave(name: string): void {
    const left = (this.#counts.get(name) ?? 0) - 1;
    if (left > 0) this.#counts.set(name, left);
    else this.#counts.delete(name);
  }

  isAlone(name: string): boolean {
    return this.#counts.get(name) === 1;
  }
}
