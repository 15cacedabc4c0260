/** A refusal whose message is shown to the shopper. */
export class ShopRefusal extends Error {
  /** The HTTP status of the shop's own server; 0 where the page itself refuses. */
  readonly status: number;

  constructor(message: string, status = 0) {
    super(message);
    this.status = status;
  }
}
