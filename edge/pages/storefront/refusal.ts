/** A refusal whose message is shown to the shopper. */
export class ShopRefusal extends Error {
  /** The HTTP status of the shop's server; 0 for refusals of the page itself. */
  readonly status: number;

  constructor(message: string, status = 0) {
    super(message);
    this.status = status;
  }
}
