// A list's answer: awaited it is the first page, iterated it is every item of every page.

type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never;

interface Paged {
  readonly pagination?: { readonly next_cursor?: string | null };
}

/** Asks for one page: the first, or the one that a cursor leads to. */
type AskPage<Page> = (cursor: string | null) => Promise<Page>;

export class Listing<Page, Key extends keyof Page & string> implements Promise<Page>, AsyncIterable<ItemOf<Page[Key]>> {
  readonly [Symbol.toStringTag] = 'Listing';
  readonly #ask: AskPage<Page>;
  readonly #key: Key;
  #first: Promise<Page> | null = null;

  /** The first page is requested when the listing is awaited or iterated, not before. */
  constructor(ask: AskPage<Page>, key: Key) {
    this.#ask = ask;
    this.#key = key;
  }

  #firstPage(): Promise<Page> {
    this.#first ??= this.#ask(null);
    return this.#first;
  }

  // biome-ignore lint/suspicious/noThenProperty: a listing is awaited as a promise is
  then<A = Page, B = never>(
    onPage?: ((page: Page) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#firstPage().then(onPage, failed);
  }

  catch<B = never>(failed?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<Page | B> {
    return this.#firstPage().catch(failed);
  }

  finally(done?: (() => void) | null): Promise<Page> {
    return this.#firstPage().finally(done);
  }

  /** Page after page, each asked for when it is needed. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let page = await this.#firstPage();
    while (true) {
      yield page;
      const cursor = (page as Paged).pagination?.next_cursor ?? null;
      if (cursor === null) return;
      page = await this.#ask(cursor);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<Page[Key]>, void, undefined> {
    for await (const page of this.pages()) yield* page[this.#key] as Iterable<ItemOf<Page[Key]>>;
  }
}
