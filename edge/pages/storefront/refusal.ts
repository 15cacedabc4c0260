/** A refusal whose message is shown to the shopper; empty if the shop's server sent none. */
export class ShopRefusal extends Error {
  /** HTTP status that the shop's server sent; 0 for refusals by the page itself. */
  readonly status: number;

  constructor(message: string, status = 0) {
    super(message);
    this.status = status;
  }
}
