// Generated from stoa/v1/*.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { CallOptions, Choice, Chosen, FieldNames, Listing } from '#proto/client/method.ts';
import type { ClientResource } from '#proto/client/resource.ts';
import type { AcceptCreditRequest, AcceptCreditResponse, AddGiftCardRequest, AddItemRequest, AddPromotionRequest, AddWishlistItemRequest, AnswerWholesaleQuoteRequest, ApiInfo, BlogPost, CalculateRequest, CancelCheckoutIntentRequest, CancelDisputeRequest, CancelPurchaseOrderRequest, CancelReturnRequest, CancelRfqRequest, CartDraft, CartDraftResponse, CartResponse, CheckoutIntent, CheckoutIntentResponse, CollectionResponse, CreateCartDraftRequest, CreateCheckoutIntentRequest, CreateDisputeRequest, CreateMessageRequest, CreatePurchaseOrderRequest, CreateQuoteRequest, CreateReturnRequest, CreateReviewRequest, CreateRfqRequest, CreateStockAlertRequest, CreateThreadRequest, CreateThreadResponse, Customer, CustomerExport, CustomerExportResponse, CustomerResponse, DeleteMessageRequest, DeleteReviewRequest, Deleted, DisputeResponse, EmptyCartRequest, ExportCustomerRequest, Feature, FoundProduct, GetCartDraftRequest, GetCartRequest, GetCheckoutIntentRequest, GetCollectionRequest, GetCustomerExportRequest, GetCustomerRequest, GetDisputeRequest, GetFeedRequest, GetInvoiceRequest, GetLookbookRequest, GetPolicyRequest, GetPolicyResponse, GetPostRequest, GetProductBySlugRequest, GetProductFeedResponse, GetProductRequest, GetPromotionRequest, GetPurchaseOrderRequest, GetQuoteRequest, GetReturnRequest, GetReviewRequest, GetRfqRequest, GetSpecificationsRequest, GetSpecificationsResponse, GetStoreCreditRequest, GetStoreResponse, GetWholesaleQuoteRequest, GetWishlistRequest, GiftCard, Health, Invoice, InvoiceResponse, IssueTokenRequest, IssueTokenResponse, ListCategoriesRequest, ListCategoriesResponse, ListCollectionsRequest, ListCollectionsResponse, ListDisputesRequest, ListDisputesResponse, ListEndpointsRequest, ListEndpointsResponse, ListFeaturesResponse, ListInvoicesRequest, ListInvoicesResponse, ListLookbooksRequest, ListLookbooksResponse, ListMethodsResponse, ListPickupLocationsRequest, ListPickupLocationsResponse, ListPlacesRequest, ListPlacesResponse, ListPoliciesRequest, ListPoliciesResponse, ListPostsRequest, ListPostsResponse, ListPriceHistoryRequest, ListPriceHistoryResponse, ListProductsRequest, ListProductsResponse, ListPromotionsRequest, ListPromotionsResponse, ListPurchaseOrdersRequest, ListPurchaseOrdersResponse, ListReturnReasonsResponse, ListReturnsRequest, ListReturnsResponse, ListReviewsRequest, ListReviewsResponse, ListRfqsRequest, ListRfqsResponse, ListThreadMessagesRequest, ListThreadMessagesResponse, ListThreadsRequest, ListThreadsResponse, ListWholesaleQuotesRequest, ListWholesaleQuotesResponse, ListedEndpoint, ListedProduct, LookbookDetail, MarkThreadReadRequest, MergeCartRequest, Message, MessageResponse, OrderDispute, OrderReturn, PaymentMethod, PickupLocation, Place, Policy, PostResponse, PreviewTaxRequest, PreviewTaxResponse, PrintInvoiceRequest, Product, ProductCategory, ProductCollection, ProductReview, PromotionResponse, PurchaseOrder, PurchaseOrderResponse, QueryPricesRequest, QueryPricesResponse, Quote, QuoteResponse, ReadGiftCardsRequest, ReadGiftCardsResponse, RecordEventRequest, RecordEventResponse, RemoveGiftCardRequest, RemoveItemRequest, RemovePromotionRequest, RemoveWishlistItemRequest, ReportBouncesRequest, ReportBouncesResponse, ReturnReason, ReturnResponse, ReviewResponse, RevokeTokenRequest, RevokeTokenResponse, Rfq, RfqResponse, SearchProductsRequest, SearchProductsResponse, ShippingCalculation, ShopperWishlist, ShoppingCart, ShownPrice, Specification, StockAlertResponse, StoreCredit, StoreCreditResponse, StoreLookbook, StoreProfile, StorePromotion, Thread, ThreadResponse, UpdateCartDraftRequest, UpdateCartRequest, UpdateCheckoutIntentRequest, UpdateCustomerRequest, UpdateItemRequest, ValidateAuthorizationRequest, ValidateAuthorizationResponse, VoteHelpfulRequest, WholesaleQuote, WholesaleQuoteResponse, WishlistResponse } from './message.ts';

export interface StorefrontResources {
  readonly agent: {
    readonly cartDrafts: {
      /**
       * A basket in the making: priced afresh whenever it is read.
       *
       * `POST /v1/agent/cart-drafts`
       */
      create(request: CreateCartDraftRequest, options?: CallOptions): Promise<CartDraftResponse>;
      /**
       * `GET /v1/agent/cart-drafts/{id}`
       */
      get<const F extends FieldNames<CartDraft> = undefined>(request: GetCartDraftRequest & Choice<F>, options?: CallOptions): Promise<Chosen<CartDraftResponse, "data", F>>;
      /**
       * Replaces what the body names. A draft that is converted or expired: 409.
       *
       * `PATCH /v1/agent/cart-drafts/{id}`
       */
      update(request: UpdateCartDraftRequest, options?: CallOptions): Promise<CartDraftResponse>;
    };
    readonly checkoutIntents: {
      /**
       * Gives the stock back. An intent that is not open or ready: 409.
       *
       * `POST /v1/agent/checkout-intents/{id}/cancel`
       */
      cancel(request: CancelCheckoutIntentRequest, options?: CallOptions): Promise<CheckoutIntentResponse>;
      /**
       * Freezes prices and holds stock, from exactly one of `items`, `quote_id` and `cart_draft_id`, for 30 minutes unless the
       * store says otherwise. `requirements` tell what an order still needs; without any it is `ready`.
       *
       * `POST /v1/agent/checkout-intents`
       */
      create(request: CreateCheckoutIntentRequest, options?: CallOptions): Promise<CheckoutIntentResponse>;
      /**
       * Past its expiry it reads as `expired`, and its stock is released, whether or not it is read.
       *
       * `GET /v1/agent/checkout-intents/{id}`
       */
      get<const F extends FieldNames<CheckoutIntent> = undefined>(request: GetCheckoutIntentRequest & Choice<F>, options?: CallOptions): Promise<Chosen<CheckoutIntentResponse, "data", F>>;
      /**
       * Says who buys, where it goes and how; prices of the lines stay frozen, delivery and tax follow the address. An intent
       * that is not open or ready: 409. Without a `billing_address` its order is billed to the shipping address.
       *
       * `PATCH /v1/agent/checkout-intents/{id}`
       */
      update(request: UpdateCheckoutIntentRequest, options?: CallOptions): Promise<CheckoutIntentResponse>;
    };
    readonly quotes: {
      /**
       * Freezes what a basket costs for 15 minutes; holds no stock. An order takes it once, by `quote_id`.
       *
       * `POST /v1/agent/quotes`
       */
      create(request: CreateQuoteRequest, options?: CallOptions): Promise<QuoteResponse>;
      /**
       * `GET /v1/agent/quotes/{id}`
       */
      get<const F extends FieldNames<Quote> = undefined>(request: GetQuoteRequest & Choice<F>, options?: CallOptions): Promise<Chosen<QuoteResponse, "data", F>>;
    };
  };
  readonly b2b: {
    readonly invoices: {
      /**
       * `GET /v1/b2b/invoices/{id}`
       */
      get<const F extends FieldNames<Invoice> = undefined>(request: GetInvoiceRequest & Choice<F>, options?: CallOptions): Promise<Chosen<InvoiceResponse, "data", F>>;
      /**
       * Newest first.
       *
       * `GET /v1/b2b/invoices`
       */
      list<const F extends FieldNames<Invoice> = undefined>(request?: ListInvoicesRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListInvoicesResponse, "data", F>, "data">;
      /**
       * Answers the invoice as a PDF.
       *
       * `GET /v1/b2b/invoices/{id}/pdf`
       */
      printPdf(request: PrintInvoiceRequest, options?: CallOptions): Promise<Uint8Array>;
    };
    readonly purchaseOrders: {
      /**
       * Cancels a purchase order, by the buyer or the store. One that is not `issued` is 409; a confirmed one is cancelled
       * with its order.
       *
       * `POST /v1/b2b/purchase-orders/{id}/cancel`
       */
      cancel(request: CancelPurchaseOrderRequest, options?: CallOptions): Promise<PurchaseOrderResponse>;
      /**
       * Orders what an accepted quote of the buyer's offers, once; a `po_number` is good once a buyer. Sends `b2b.po.issued`.
       *
       * `POST /v1/b2b/purchase-orders`, for a signed-in shopper
       */
      create(request: CreatePurchaseOrderRequest, options?: CallOptions): Promise<PurchaseOrderResponse>;
      /**
       * `GET /v1/b2b/purchase-orders/{id}`
       */
      get<const F extends FieldNames<PurchaseOrder> = undefined>(request: GetPurchaseOrderRequest & Choice<F>, options?: CallOptions): Promise<Chosen<PurchaseOrderResponse, "data", F>>;
      /**
       * Newest first.
       *
       * `GET /v1/b2b/purchase-orders`
       */
      list<const F extends FieldNames<PurchaseOrder> = undefined>(request?: ListPurchaseOrdersRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListPurchaseOrdersResponse, "data", F>, "data">;
    };
    readonly quotes: {
      /**
       * The buyer takes it: its request for a quote is closed, and that request's other quotes are rejected. One that is not
       * `sent`: 409. Sends `b2b.quote.accepted`, and `b2b.quote.rejected` for each of the others.
       *
       * `POST /v1/b2b/quotes/{id}/accept`, for a signed-in shopper
       */
      accept(request: AnswerWholesaleQuoteRequest, options?: CallOptions): Promise<WholesaleQuoteResponse>;
      /**
       * `GET /v1/b2b/quotes/{id}`
       */
      get<const F extends FieldNames<WholesaleQuote> = undefined>(request: GetWholesaleQuoteRequest & Choice<F>, options?: CallOptions): Promise<Chosen<WholesaleQuoteResponse, "data", F>>;
      /**
       * Newest first.
       *
       * `GET /v1/b2b/quotes`
       */
      list<const F extends FieldNames<WholesaleQuote> = undefined>(request?: ListWholesaleQuotesRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListWholesaleQuotesResponse, "data", F>, "data">;
      /**
       * The buyer does not take it. One that is not `sent`: 409. Sends `b2b.quote.rejected`.
       *
       * `POST /v1/b2b/quotes/{id}/reject`, for a signed-in shopper
       */
      reject(request: AnswerWholesaleQuoteRequest, options?: CallOptions): Promise<WholesaleQuoteResponse>;
    };
    readonly rfqs: {
      /**
       * Withdraws the buyer's request. One that is not `submitted` is 409.
       *
       * `POST /v1/b2b/rfqs/{id}/cancel`, for a signed-in shopper
       */
      cancel(request: CancelRfqRequest, options?: CallOptions): Promise<RfqResponse>;
      /**
       * Asks the store for a quote. Sends `b2b.rfq.created`.
       *
       * `POST /v1/b2b/rfqs`, for a signed-in shopper
       */
      create(request: CreateRfqRequest, options?: CallOptions): Promise<RfqResponse>;
      /**
       * `GET /v1/b2b/rfqs/{id}`
       */
      get<const F extends FieldNames<Rfq> = undefined>(request: GetRfqRequest & Choice<F>, options?: CallOptions): Promise<Chosen<RfqResponse, "data", F>>;
      /**
       * Newest first.
       *
       * `GET /v1/b2b/rfqs`
       */
      list<const F extends FieldNames<Rfq> = undefined>(request?: ListRfqsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListRfqsResponse, "data", F>, "data">;
    };
  };
  readonly blog: {
    readonly posts: {
      /**
       * A read with a publishable key counts as a view.
       *
       * `GET /v1/blog/posts/{slug}`
       */
      get<const F extends FieldNames<BlogPost> = undefined>(request: GetPostRequest & Choice<F>, options?: CallOptions): Promise<Chosen<PostResponse, "post", F>>;
      /**
       * A publishable key is shown the newest published first, a secret key all of them, the newest written first.
       *
       * `GET /v1/blog/posts`
       */
      list<const F extends FieldNames<BlogPost> = undefined>(request?: ListPostsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListPostsResponse, "posts", F>, "posts">;
    };
  };
  readonly cart: {
    /**
     * Takes out all items and codes.
     *
     * `DELETE /v1/cart`
     */
    empty(request?: EmptyCartRequest, options?: CallOptions): Promise<CartResponse>;
    /**
     * The cart with prices and stock as they are now; what changed since a line was last written is a warning. A shopper
     * who put nothing in yet has an empty cart, of version 0.
     *
     * `GET /v1/cart`
     */
    get<const F extends FieldNames<ShoppingCart> = undefined>(request?: GetCartRequest & Choice<F>, options?: CallOptions): Promise<Chosen<CartResponse, "cart", F>>;
    /**
     * Moves an anonymous cart into the customer's, as at signing in. Quantities of one variant are summed, capped by what
     * can be bought now with a `quantity_reduced` warning. The anonymous cart is `merged` and empty afterwards; merging it
     * again changes nothing. Sends `cart.created` or `cart.updated` of the customer's cart.
     *
     * `POST /v1/cart/merge`
     */
    merge(request: MergeCartRequest, options?: CallOptions): Promise<CartResponse>;
    /**
     * Changes the cart's currency: to one of the store's `currencies`, or its own. Prices are shown in it from then on; an
     * item without a price in it costs 0, has a warning, and cannot be ordered. An order is in the currency of its cart and
     * keeps it; the next cart stays in the currency. While the rate is too old, the cart is read at its last prices with the
     * warning `currency_not_available`: only items and codes can be removed and the currency be changed. Sends
     * `cart.created` or `cart.updated`.
     *
     * `PATCH /v1/cart`
     */
    update(request: UpdateCartRequest, options?: CallOptions): Promise<CartResponse>;
    readonly giftCards: {
      /**
       * Pays a part of the cart with a gift card. A code that does not apply is 400 `gift_card_not_applicable`.
       *
       * `POST /v1/cart/gift-cards`
       */
      add(request: AddGiftCardRequest, options?: CallOptions): Promise<CartResponse>;
      /**
       * Takes a gift card back.
       *
       * `DELETE /v1/cart/gift-cards/{code}`
       */
      remove(request: RemoveGiftCardRequest, options?: CallOptions): Promise<CartResponse>;
    };
    readonly items: {
      /**
       * Puts a variant in, or a product's default variant. A variant that is in the cart already is the same line with more
       * pieces. More than can be bought now is 409 `insufficient_stock`. Sends `cart.created` or `cart.updated`.
       *
       * `POST /v1/cart/items`
       */
      add(request: AddItemRequest, options?: CallOptions): Promise<CartResponse>;
      /**
       * Takes a line out. Sends `cart.updated`.
       *
       * `DELETE /v1/cart/items/{item_id}`
       */
      remove(request: RemoveItemRequest, options?: CallOptions): Promise<CartResponse>;
      /**
       * Sets a line's quantity; 0 takes the line out. Sends `cart.updated`.
       *
       * `PATCH /v1/cart/items/{item_id}`
       */
      update(request: UpdateItemRequest, options?: CallOptions): Promise<CartResponse>;
    };
    readonly promotions: {
      /**
       * Keeps a promotion code with the cart, letter case ignored. One that does not apply now stands in `rejected_codes`
       * with the reason, and is looked at again at each answer.
       *
       * `POST /v1/cart/promotions`
       */
      add(request: AddPromotionRequest, options?: CallOptions): Promise<CartResponse>;
      /**
       * Takes a promotion code back.
       *
       * `DELETE /v1/cart/promotions/{code}`
       */
      remove(request: RemovePromotionRequest, options?: CallOptions): Promise<CartResponse>;
    };
  };
  readonly categories: {
    /**
     * The whole tree without pagination, siblings in their order. Counts are of active products.
     *
     * `GET /v1/categories`
     */
    list<const F extends FieldNames<ProductCategory> = undefined>(request?: ListCategoriesRequest & Choice<F>, options?: CallOptions): Promise<Chosen<ListCategoriesResponse, "categories", F>>;
  };
  readonly connect: {
    /**
     * Revokes a token; a refresh token is revoked with its whole grant. The answer is always 200, for an unknown token
     * too.
     *
     * `POST /v1/connect/revoke`
     */
    revoke(request?: RevokeTokenRequest, options?: CallOptions): Promise<RevokeTokenResponse>;
    readonly authorize: {
      /**
       * Whether an authorization request would be shown to the merchant, and as what.
       *
       * `POST /v1/connect/authorize/validate`
       */
      validate(request?: ValidateAuthorizationRequest, options?: CallOptions): Promise<ValidateAuthorizationResponse>;
    };
    readonly token: {
      /**
       * Gives tokens for an authorization code (60 seconds, once; a second use ends what the first gave) or a refresh token
       * (rotating; a second use ends the grant). A confidential client tells its secret by HTTP Basic or in the body.
       *
       * `POST /v1/connect/token`
       */
      issue(request?: IssueTokenRequest, options?: CallOptions): Promise<IssueTokenResponse>;
    };
  };
  readonly customers: {
    /**
     * Collects everything about a customer into a JSON archive, within a minute. The answer says where to fetch it. An export
     * replaces the customer's former one; while one is being made, the same one is answered.
     *
     * `POST /v1/customers/{id}/export`
     */
    export(request: ExportCustomerRequest, options?: CallOptions): Promise<CustomerExportResponse>;
    /**
     * A customer, with a session of their own: another's is 403. Staff of the dashboard read any.
     *
     * `GET /v1/customers/{id}`, for a signed-in shopper
     */
    get<const F extends FieldNames<Customer> = undefined>(request: GetCustomerRequest & Choice<F>, options?: CallOptions): Promise<Chosen<CustomerResponse, "customer", F>>;
    /**
     * Changes what the body names, with the customer's own session or by staff of the dashboard. `group` and `external_id`
     * are ignored here. Sends `customer.updated`.
     *
     * `PATCH /v1/customers/{id}`, for a signed-in shopper
     */
    update(request: UpdateCustomerRequest, options?: CallOptions): Promise<CustomerResponse>;
    readonly exports: {
      /**
       * Returns an export, with its archive once it is complete, to callers that may export.
       *
       * `GET /v1/customers/{id}/exports/{export_id}`
       */
      get<const F extends FieldNames<CustomerExport> = undefined>(request: GetCustomerExportRequest & Choice<F>, options?: CallOptions): Promise<Chosen<CustomerExportResponse, "export", F>>;
    };
  };
  readonly disputes: {
    /**
     * The shopper takes a dispute back while it is open; any other is 409.
     *
     * `POST /v1/disputes/{id}/cancel`, for a signed-in shopper
     */
    cancel(request: CancelDisputeRequest, options?: CallOptions): Promise<DisputeResponse>;
    /**
     * Opens a dispute about the shopper's own paid order. One that is not decided yet: 409.
     *
     * `POST /v1/disputes`, for a signed-in shopper
     */
    create(request: CreateDisputeRequest, options?: CallOptions): Promise<DisputeResponse>;
    /**
     * `GET /v1/disputes/{id}`
     */
    get<const F extends FieldNames<OrderDispute> = undefined>(request: GetDisputeRequest & Choice<F>, options?: CallOptions): Promise<Chosen<DisputeResponse, "data", F>>;
    /**
     * Newest first: a shopper's own, or all of the store with a secret key and no session.
     *
     * `GET /v1/disputes`
     */
    list<const F extends FieldNames<OrderDispute> = undefined>(request?: ListDisputesRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListDisputesResponse, "data", F>, "data">;
  };
  readonly events: {
    /**
     * Notes what a shopper did with a product. "Processed best-effort and answered immediately; never blocks the page."
     * The same again within one session changes nothing.
     *
     * `POST /v1/events`
     */
    record(request: RecordEventRequest, options?: CallOptions): Promise<RecordEventResponse>;
  };
  readonly features: {
    /**
     * Features of the store by its plan and by the data it has.
     *
     * `GET /v1/features`
     */
    list<const F extends FieldNames<Feature> = undefined>(request?: Choice<F>, options?: CallOptions): Promise<Chosen<ListFeaturesResponse, "features", F>>;
  };
  readonly feeds: {
    /**
     * The store in Markdown, for agents: on by default, for a wholesale store only once it is turned on.
     *
     * `GET /v1/feeds/{store}/llms.txt`
     */
    getLlmsTxt(request: GetFeedRequest, options?: CallOptions): Promise<string>;
    /**
     * All active products, in detail shape and, in `acp`, as the feed of the Agentic Commerce Protocol. Opt-in.
     *
     * `GET /v1/feeds/{store}/products.json`
     */
    getProductsJson(request: GetFeedRequest, options?: CallOptions): Promise<GetProductFeedResponse>;
    /**
     * RSS 2.0 with the `g:` namespace of shopping channels, one item a variant. Opt-in.
     *
     * `GET /v1/feeds/{store}/products.xml`
     */
    getProductsXml(request: GetFeedRequest, options?: CallOptions): Promise<string>;
  };
  readonly geo: {
    readonly places: {
      /**
       * Towns whose name begins with a text, the largest first: suggestions while an address is typed. Another name finds a
       * town too, such as Köln or Cologne.
       *
       * `GET /v1/geo/places`
       */
      list<const F extends FieldNames<Place> = undefined>(request?: ListPlacesRequest & Choice<F>, options?: CallOptions): Promise<Chosen<ListPlacesResponse, "places", F>>;
    };
  };
  /**
   * Name and version of the service.
   *
   * `GET /`
   */
  getApiInfo(options?: CallOptions): Promise<ApiInfo>;
  readonly giftCards: {
    /**
     * One card by its `code` (typed in any letter case, with or without hyphens), or a customer's own cards by
     * `customer_id`, which needs that customer's session. Exactly one of the two is named.
     *
     * `GET /v1/gift-cards`
     */
    list<const F extends FieldNames<GiftCard> = undefined>(request?: ReadGiftCardsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ReadGiftCardsResponse, "gift_cards", F>, "gift_cards">;
  };
  readonly health: {
    /**
     * `ok` while everything works, `degraded` while some part does not; 503 when nothing can be served.
     *
     * `GET /v1/health`
     */
    get(options?: CallOptions): Promise<Health>;
  };
  readonly lookbooks: {
    /**
     * A published lookbook; drafts are found in the list alone. A read with a publishable key counts as a view.
     *
     * `GET /v1/lookbooks/{slug}`
     */
    get<const F extends FieldNames<LookbookDetail> = undefined>(request: GetLookbookRequest & Choice<F>, options?: CallOptions): Promise<Chosen<LookbookDetail, "", F>>;
    /**
     * A publishable key is shown the newest published first, a secret key all of them, the newest written first.
     *
     * `GET /v1/lookbooks`
     */
    list<const F extends FieldNames<StoreLookbook> = undefined>(request?: ListLookbooksRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListLookbooksResponse, "lookbooks", F>, "lookbooks">;
  };
  readonly mailBounces: {
    /**
     * Suppresses the addresses of hard bounces and complaints, reported by a mail provider; other events change nothing.
     * Repeating a report changes nothing.
     *
     * `POST /v1/mail-bounces/{store_id}/{environment}/{token}`
     */
    report(request: ReportBouncesRequest, options?: CallOptions): Promise<ReportBouncesResponse>;
  };
  readonly messaging: {
    readonly messages: {
      /**
       * Takes back a message of one's own: it stays in its place, without body and attachments, and no longer counts as
       * unread. Deleting it again changes nothing.
       *
       * `DELETE /v1/messaging/messages/{id}`
       */
      delete(request: DeleteMessageRequest, options?: CallOptions): Promise<Deleted>;
    };
    readonly threads: {
      /**
       * Begins a thread with its first message. A store names the `customer_id` that it writes to. `order_id` is an order of
       * that customer's.
       *
       * `POST /v1/messaging/threads`
       */
      create(request: CreateThreadRequest, options?: CallOptions): Promise<CreateThreadResponse>;
      /**
       * Threads by last message, newest first. `unread_count` is that of the caller's side.
       *
       * `GET /v1/messaging/threads`
       */
      list<const F extends FieldNames<Thread> = undefined>(request?: ListThreadsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListThreadsResponse, "threads", F>, "threads">;
      /**
       * Marks all that the other side wrote so far as read: the caller's `unread_count` is 0.
       *
       * `POST /v1/messaging/threads/{id}/read`
       */
      markRead(request: MarkThreadReadRequest, options?: CallOptions): Promise<ThreadResponse>;
      readonly messages: {
        /**
         * Writes into a thread. A shopper's message opens a closed one, a store's leaves it closed. Writing does not mark what
         * the other side wrote as read.
         *
         * `POST /v1/messaging/threads/{id}/messages`
         */
        create(request: CreateMessageRequest, options?: CallOptions): Promise<MessageResponse>;
        /**
         * A thread's messages, oldest first. Listing them does not mark them as read.
         *
         * `GET /v1/messaging/threads/{id}/messages`
         */
        list<const F extends FieldNames<Message> = undefined>(request: ListThreadMessagesRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListThreadMessagesResponse, "messages", F>, "messages">;
      };
    };
  };
  readonly orders: {
    readonly returns: {
      /**
       * Requests the return of the shopper's own order, or some of its items. The order must be shipped, or delivered and
       * inside the store's return window: else 409. The shopper gets an e-mail that confirms the request.
       *
       * `POST /v1/orders/{id}/returns`, for a signed-in shopper
       */
      create(request: CreateReturnRequest, options?: CallOptions): Promise<ReturnResponse>;
    };
  };
  readonly payments: {
    readonly methods: {
      /**
       * How a shopper can pay here and now: built-in providers that are connected (in the sandbox all of them, by the
       * simulator) and the merchant's own.
       *
       * `GET /v1/payments/methods`
       */
      list<const F extends FieldNames<PaymentMethod> = undefined>(request?: Choice<F>, options?: CallOptions): Promise<Chosen<ListMethodsResponse, "methods", F>>;
    };
  };
  readonly pickupLocations: {
    /**
     * Pickup locations of the store, in the configuration's order, without pagination.
     *
     * `GET /v1/pickup-locations`
     */
    list<const F extends FieldNames<PickupLocation> = undefined>(request?: ListPickupLocationsRequest & Choice<F>, options?: CallOptions): Promise<Chosen<ListPickupLocationsResponse, "locations", F>>;
  };
  readonly pricing: {
    /**
     * Prices at most 500 lines. The lowest of base price, sale price and the price lists that apply wins; `trace` tells how.
     * Codes that do not apply stand in `rejected_codes` with the reason. `customer_group` counts with a secret key; a
     * shopper's group is that of the customer session.
     *
     * `POST /v1/pricing/query`
     */
    query(request: QueryPricesRequest, options?: CallOptions): Promise<QueryPricesResponse>;
  };
  readonly productCollections: {
    /**
     * One collection by its id or its slug.
     *
     * `GET /v1/product-collections/{id}`
     */
    get<const F extends FieldNames<ProductCollection> = undefined>(request: GetCollectionRequest & Choice<F>, options?: CallOptions): Promise<Chosen<CollectionResponse, "collection", F>>;
    /**
     * Collections by `display_priority`, then newest first. A publishable key sees the active ones.
     *
     * `GET /v1/product-collections`
     */
    list<const F extends FieldNames<ProductCollection> = undefined>(request?: ListCollectionsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListCollectionsResponse, "collections", F>, "collections">;
  };
  readonly products: {
    /**
     * Sends one mail to the address once the product, or the named variant, can be bought again. Asking again while that
     * waits changes nothing, and afterwards the shopper may ask anew. One that can be bought now is 409 `conflict`. The
     * answer is the same for every address.
     *
     * `POST /v1/products/{id}/back-in-stock`
     */
    createBackInStock(request: CreateStockAlertRequest, options?: CallOptions): Promise<StockAlertResponse>;
    /**
     * The detail: a multi-variant product with its variants and aggregates, a simple one flat.
     *
     * `GET /v1/products/{id}`
     */
    get<const F extends FieldNames<Product> = undefined>(request: GetProductRequest & Choice<F>, options?: CallOptions): Promise<Chosen<Product, "", F>>;
    /**
     * The detail by `product_slug`; letter case matters.
     *
     * `GET /v1/products/by-slug/{slug}`
     */
    getBySlug<const F extends FieldNames<Product> = undefined>(request: GetProductBySlugRequest & Choice<F>, options?: CallOptions): Promise<Chosen<Product, "", F>>;
    /**
     * The list shape: flat, with the default variant's data, without `variants`. An operator's key lists the products of
     * the merchant that `store_id` names, or those of all of its merchants.
     *
     * `GET /v1/products`
     */
    list<const F extends FieldNames<ListedProduct> = undefined>(request?: ListProductsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListProductsResponse, "products", F>, "products">;
    /**
     * Lists the prices of the variants that shoppers saw in the last two years, newest first: none of a price list for a group
     * of customers, and none from a time in which the product was hidden.
     *
     * `GET /v1/products/{id}/price-history`
     */
    listPriceHistory<const F extends FieldNames<ShownPrice> = undefined>(request: ListPriceHistoryRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListPriceHistoryResponse, "price_history", F>, "price_history">;
    readonly specifications: {
      /**
       * A product's technical data, in the order in which they were written.
       *
       * `GET /v1/products/{id}/specifications`
       */
      get<const F extends FieldNames<Specification> = undefined>(request: GetSpecificationsRequest & Choice<F>, options?: CallOptions): Promise<Chosen<GetSpecificationsResponse, "specifications", F>>;
    };
  };
  readonly promotions: {
    /**
     * A publishable key sees it while it is active and public.
     *
     * `GET /v1/promotions/{id}`
     */
    get<const F extends FieldNames<StorePromotion> = undefined>(request: GetPromotionRequest & Choice<F>, options?: CallOptions): Promise<Chosen<PromotionResponse, "promotion", F>>;
    /**
     * Newest first. A publishable key sees those that are active and public.
     *
     * `GET /v1/promotions`
     */
    list<const F extends FieldNames<StorePromotion> = undefined>(request?: ListPromotionsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListPromotionsResponse, "promotions", F>, "promotions">;
  };
  readonly returns: {
    /**
     * Accepts the store credit on offer: it can be spent at checkout at once, and the return is closed. A return without
     * a pending offer is 409.
     *
     * `POST /v1/returns/{id}/accept-credit`, for a signed-in shopper
     */
    acceptCredit(request: AcceptCreditRequest, options?: CallOptions): Promise<AcceptCreditResponse>;
    /**
     * The shopper takes a return back that is not decided yet; any other is 409.
     *
     * `POST /v1/returns/{id}/cancel`, for a signed-in shopper
     */
    cancel(request: CancelReturnRequest, options?: CallOptions): Promise<ReturnResponse>;
    /**
     * `GET /v1/returns/{id}`
     */
    get<const F extends FieldNames<OrderReturn> = undefined>(request: GetReturnRequest & Choice<F>, options?: CallOptions): Promise<Chosen<ReturnResponse, "data", F>>;
    /**
     * Newest first: a shopper's own, or all of the store with a secret key and no session.
     *
     * `GET /v1/returns`
     */
    list<const F extends FieldNames<OrderReturn> = undefined>(request?: ListReturnsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListReturnsResponse, "data", F>, "data">;
    readonly reasons: {
      /**
       * The codes that a return may name as its reason.
       *
       * `GET /v1/returns/reasons`
       */
      list<const F extends FieldNames<ReturnReason> = undefined>(request?: Choice<F>, options?: CallOptions): Promise<Chosen<ListReturnReasonsResponse, "data", F>>;
    };
  };
  readonly reviews: {
    /**
     * Adds a review, one for each customer and product: a second one is 409 until the first is deleted. The review is
     * `pending` until it is moderated, unless the store's `review_approval` approves all, or all of verified purchases,
     * at once.
     *
     * `POST /v1/reviews`, for a signed-in shopper
     */
    create(request: CreateReviewRequest, options?: CallOptions): Promise<ReviewResponse>;
    /**
     * A shopper's own, or any with a secret key.
     *
     * `DELETE /v1/reviews/{id}`
     */
    delete(request: DeleteReviewRequest, options?: CallOptions): Promise<Deleted>;
    /**
     * "Publishable sees only approved reviews; pending or rejected answer 404. Secret sees all statuses."
     *
     * `GET /v1/reviews/{id}`
     */
    get<const F extends FieldNames<ProductReview> = undefined>(request: GetReviewRequest & Choice<F>, options?: CallOptions): Promise<Chosen<ReviewResponse, "review", F>>;
    /**
     * With `product_id` the answer has the `summary` of that product's approved reviews, independent of all other
     * filters.
     *
     * `GET /v1/reviews`
     */
    list<const F extends FieldNames<ProductReview> = undefined>(request?: ListReviewsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListReviewsResponse, "reviews", F>, "reviews">;
    /**
     * Counts once for each `X-Session-Id`, without one once for each network; a repeat changes nothing.
     *
     * `POST /v1/reviews/{id}/helpful`
     */
    voteHelpful(request: VoteHelpfulRequest, options?: CallOptions): Promise<ReviewResponse>;
  };
  /**
   * Finds products. The last word of the query also matches as a beginning; a word that no product has is corrected by
   * one edit. An empty query finds everything that passes the filters. Facet counts are exact, and each facet ignores
   * its own filter. An operator's key searches the merchant that `store_id` names, or all of its merchants in one ranking.
   *
   * `POST /v1/search`
   */
  search<const F extends FieldNames<FoundProduct> = undefined>(request?: SearchProductsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<SearchProductsResponse, "products", F>, "products">;
  readonly shipping: {
    /**
     * Delivery cost to a place. The place is `latitude` and `longitude`, a `place_name`, or, for carrier options only,
     * `address_to` and `parcel` alone.
     *
     * The first zone that contains the place prices it, else the distance tier, else the everywhere-else rate. A store
     * that neither delivers there nor offers pickup: 400 `shipping_not_deliverable`.
     *
     * `POST /v1/shipping/calculate`
     */
    calculate(request: CalculateRequest, options?: CallOptions): Promise<ShippingCalculation>;
  };
  readonly store: {
    /**
     * The store's profile and settings. `idp` is shown to a secret key only.
     *
     * `GET /v1/store`
     */
    get<const F extends FieldNames<StoreProfile> = undefined>(request?: Choice<F>, options?: CallOptions): Promise<Chosen<GetStoreResponse, "store", F>>;
    readonly policies: {
      /**
       * One policy: its newest published version, the version asked for, or, with a secret key, its draft. Every
       * published version stays readable.
       *
       * `GET /v1/store/policies/{type}`
       */
      get<const F extends FieldNames<Policy> = undefined>(request: GetPolicyRequest & Choice<F>, options?: CallOptions): Promise<Chosen<GetPolicyResponse, "policy", F>>;
      /**
       * The newest published version of each policy. Drafts are never in it.
       *
       * `GET /v1/store/policies`
       */
      list<const F extends FieldNames<Policy> = undefined>(request?: ListPoliciesRequest & Choice<F>, options?: CallOptions): Promise<Chosen<ListPoliciesResponse, "policies", F>>;
    };
  };
  readonly storeCredit: {
    /**
     * A customer's own credit in the store's currency, with the newest hundred of its entries. Staff of the dashboard read
     * that of any `customer_id`.
     *
     * `GET /v1/store-credit`, for a signed-in shopper
     */
    get<const F extends FieldNames<StoreCredit> = undefined>(request?: GetStoreCreditRequest & Choice<F>, options?: CallOptions): Promise<Chosen<StoreCreditResponse, "store_credit", F>>;
  };
  readonly tax: {
    /**
     * Taxes of a basket sent to an address, after promotions. If prices include tax, `taxable_amount` is the net amount.
     *
     * `POST /v1/tax/preview`
     */
    preview(request: PreviewTaxRequest, options?: CallOptions): Promise<PreviewTaxResponse>;
  };
  readonly webhookEndpoints: {
    /**
     * Newest first. Secrets are never shown, and a publishable key sees `id`, `events` and `enabled` alone.
     *
     * `GET /v1/webhook-endpoints`
     */
    list<const F extends FieldNames<ListedEndpoint> = undefined>(request?: ListEndpointsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListEndpointsResponse, "webhook_endpoints", F>, "webhook_endpoints">;
  };
  readonly wishlist: {
    /**
     * The wishlist with prices and stock as they are now.
     *
     * `GET /v1/wishlist`, for a signed-in shopper
     */
    get<const F extends FieldNames<ShopperWishlist> = undefined>(request: GetWishlistRequest & Choice<F>, options?: CallOptions): Promise<Chosen<WishlistResponse, "wishlist", F>>;
    readonly items: {
      /**
       * Adds a product, or one of its variants. An item that is on the list already stays unchanged.
       *
       * `POST /v1/wishlist/items`, for a signed-in shopper
       */
      add(request: AddWishlistItemRequest, options?: CallOptions): Promise<WishlistResponse>;
      /**
       * Takes an item off the list.
       *
       * `DELETE /v1/wishlist/items/{item_id}`, for a signed-in shopper
       */
      remove(request: RemoveWishlistItemRequest, options?: CallOptions): Promise<WishlistResponse>;
    };
  };
}

export const agent: ClientResource<StorefrontResources['agent']> = {
  routes: {
    cartDrafts: {
      create: "POST /v1/agent/cart-drafts",
      get: "GET /v1/agent/cart-drafts/{id}",
      update: "PATCH /v1/agent/cart-drafts/{id}",
    },
    checkoutIntents: {
      cancel: "POST /v1/agent/checkout-intents/{id}/cancel",
      create: "POST /v1/agent/checkout-intents",
      get: "GET /v1/agent/checkout-intents/{id}",
      update: "PATCH /v1/agent/checkout-intents/{id}",
    },
    quotes: {
      create: "POST /v1/agent/quotes",
      get: "GET /v1/agent/quotes/{id}",
    },
  },
};

export const b2b: ClientResource<StorefrontResources['b2b']> = {
  routes: {
    invoices: {
      get: "GET /v1/b2b/invoices/{id} c",
      list: "GET /v1/b2b/invoices c data",
      printPdf: "GET /v1/b2b/invoices/{id}/pdf cb",
    },
    purchaseOrders: {
      cancel: "POST /v1/b2b/purchase-orders/{id}/cancel cq",
      create: "POST /v1/b2b/purchase-orders c",
      get: "GET /v1/b2b/purchase-orders/{id} c",
      list: "GET /v1/b2b/purchase-orders c data",
    },
    quotes: {
      accept: "POST /v1/b2b/quotes/{id}/accept c",
      get: "GET /v1/b2b/quotes/{id} c",
      list: "GET /v1/b2b/quotes c data",
      reject: "POST /v1/b2b/quotes/{id}/reject c",
    },
    rfqs: {
      cancel: "POST /v1/b2b/rfqs/{id}/cancel cq",
      create: "POST /v1/b2b/rfqs c",
      get: "GET /v1/b2b/rfqs/{id} c",
      list: "GET /v1/b2b/rfqs c data",
    },
  },
};

export const blog: ClientResource<StorefrontResources['blog']> = {
  routes: {
    posts: {
      get: "GET /v1/blog/posts/{slug} v",
      list: "GET /v1/blog/posts - posts",
    },
  },
};

export const cart: ClientResource<StorefrontResources['cart']> = {
  routes: {
    empty: "DELETE /v1/cart nv",
    get: "GET /v1/cart nv",
    merge: "POST /v1/cart/merge nv",
    update: "PATCH /v1/cart nv",
    giftCards: {
      add: "POST /v1/cart/gift-cards nv",
      remove: "DELETE /v1/cart/gift-cards/{code} nv",
    },
    items: {
      add: "POST /v1/cart/items nv",
      remove: "DELETE /v1/cart/items/{item_id} nv",
      update: "PATCH /v1/cart/items/{item_id} nv",
    },
    promotions: {
      add: "POST /v1/cart/promotions nv",
      remove: "DELETE /v1/cart/promotions/{code} nv",
    },
  },
};

export const categories: ClientResource<StorefrontResources['categories']> = {
  routes: {
    list: "GET /v1/categories",
  },
};

export const connect: ClientResource<StorefrontResources['connect']> = {
  routes: {
    revoke: "POST /v1/connect/revoke ko - authorization=authorization",
    authorize: {
      validate: "POST /v1/connect/authorize/validate kr",
    },
    token: {
      issue: "POST /v1/connect/token ko - authorization=authorization",
    },
  },
};

export const customers: ClientResource<StorefrontResources['customers']> = {
  routes: {
    export: "POST /v1/customers/{id}/export cq",
    get: "GET /v1/customers/{id} c",
    update: "PATCH /v1/customers/{id} c",
    exports: {
      get: "GET /v1/customers/{id}/exports/{export_id} c",
    },
  },
};

export const disputes: ClientResource<StorefrontResources['disputes']> = {
  routes: {
    cancel: "POST /v1/disputes/{id}/cancel c",
    create: "POST /v1/disputes c",
    get: "GET /v1/disputes/{id} c",
    list: "GET /v1/disputes c data",
  },
};

export const events: ClientResource<StorefrontResources['events']> = {
  routes: {
    record: "POST /v1/events",
  },
};

export const features: ClientResource<StorefrontResources['features']> = {
  routes: {
    list: "GET /v1/features",
  },
};

export const feeds: ClientResource<StorefrontResources['feeds']> = {
  routes: {
    getLlmsTxt: "GET /v1/feeds/{store}/llms.txt kt",
    getProductsJson: "GET /v1/feeds/{store}/products.json k",
    getProductsXml: "GET /v1/feeds/{store}/products.xml kt",
  },
};

export const geo: ClientResource<StorefrontResources['geo']> = {
  routes: {
    places: {
      list: "GET /v1/geo/places",
    },
  },
};

export const getApiInfo: ClientResource<StorefrontResources['getApiInfo']> = {
  routes: "GET / k",
};

export const giftCards: ClientResource<StorefrontResources['giftCards']> = {
  routes: {
    list: "GET /v1/gift-cards nv gift_cards",
  },
};

export const health: ClientResource<StorefrontResources['health']> = {
  routes: {
    get: "GET /v1/health k",
  },
};

export const lookbooks: ClientResource<StorefrontResources['lookbooks']> = {
  routes: {
    get: "GET /v1/lookbooks/{slug} v",
    list: "GET /v1/lookbooks - lookbooks",
  },
};

export const mailBounces: ClientResource<StorefrontResources['mailBounces']> = {
  routes: {
    report: "POST /v1/mail-bounces/{store_id}/{environment}/{token} ko",
  },
};

export const messaging: ClientResource<StorefrontResources['messaging']> = {
  routes: {
    messages: {
      delete: "DELETE /v1/messaging/messages/{id} c",
    },
    threads: {
      create: "POST /v1/messaging/threads c",
      list: "GET /v1/messaging/threads c threads",
      markRead: "POST /v1/messaging/threads/{id}/read cq",
      messages: {
        create: "POST /v1/messaging/threads/{id}/messages c",
        list: "GET /v1/messaging/threads/{id}/messages c messages",
      },
    },
  },
};

export const orders: ClientResource<StorefrontResources['orders']> = {
  routes: {
    returns: {
      create: "POST /v1/orders/{id}/returns c",
    },
  },
};

export const payments: ClientResource<StorefrontResources['payments']> = {
  routes: {
    methods: {
      list: "GET /v1/payments/methods",
    },
  },
};

export const pickupLocations: ClientResource<StorefrontResources['pickupLocations']> = {
  routes: {
    list: "GET /v1/pickup-locations",
  },
};

export const pricing: ClientResource<StorefrontResources['pricing']> = {
  routes: {
    query: "POST /v1/pricing/query nr",
  },
};

export const productCollections: ClientResource<StorefrontResources['productCollections']> = {
  routes: {
    get: "GET /v1/product-collections/{id}",
    list: "GET /v1/product-collections - collections",
  },
};

export const products: ClientResource<StorefrontResources['products']> = {
  routes: {
    createBackInStock: "POST /v1/products/{id}/back-in-stock o",
    get: "GET /v1/products/{id}",
    getBySlug: "GET /v1/products/by-slug/{slug}",
    list: "GET /v1/products - products",
    listPriceHistory: "GET /v1/products/{id}/price-history - price_history",
    specifications: {
      get: "GET /v1/products/{id}/specifications",
    },
  },
};

export const promotions: ClientResource<StorefrontResources['promotions']> = {
  routes: {
    get: "GET /v1/promotions/{id}",
    list: "GET /v1/promotions - promotions",
  },
};

export const returns: ClientResource<StorefrontResources['returns']> = {
  routes: {
    acceptCredit: "POST /v1/returns/{id}/accept-credit c",
    cancel: "POST /v1/returns/{id}/cancel c",
    get: "GET /v1/returns/{id} c",
    list: "GET /v1/returns c data",
    reasons: {
      list: "GET /v1/returns/reasons",
    },
  },
};

export const reviews: ClientResource<StorefrontResources['reviews']> = {
  routes: {
    create: "POST /v1/reviews c",
    delete: "DELETE /v1/reviews/{id} c",
    get: "GET /v1/reviews/{id}",
    list: "GET /v1/reviews - reviews",
    voteHelpful: "POST /v1/reviews/{id}/helpful vq",
  },
};

export const search: ClientResource<StorefrontResources['search']> = {
  routes: "POST /v1/search r products",
};

export const shipping: ClientResource<StorefrontResources['shipping']> = {
  routes: {
    calculate: "POST /v1/shipping/calculate r",
  },
};

export const store: ClientResource<StorefrontResources['store']> = {
  routes: {
    get: "GET /v1/store",
    policies: {
      get: "GET /v1/store/policies/{type}",
      list: "GET /v1/store/policies",
    },
  },
};

export const storeCredit: ClientResource<StorefrontResources['storeCredit']> = {
  routes: {
    get: "GET /v1/store-credit c",
  },
};

export const tax: ClientResource<StorefrontResources['tax']> = {
  routes: {
    preview: "POST /v1/tax/preview nr",
  },
};

export const webhookEndpoints: ClientResource<StorefrontResources['webhookEndpoints']> = {
  routes: {
    list: "GET /v1/webhook-endpoints - webhook_endpoints",
  },
};

export const wishlist: ClientResource<StorefrontResources['wishlist']> = {
  routes: {
    get: "GET /v1/wishlist c",
    items: {
      add: "POST /v1/wishlist/items c",
      remove: "DELETE /v1/wishlist/items/{item_id} c",
    },
  },
};

export const storefrontResources = {
  agent,
  b2b,
  blog,
  cart,
  categories,
  connect,
  customers,
  disputes,
  events,
  features,
  feeds,
  geo,
  getApiInfo,
  giftCards,
  health,
  lookbooks,
  mailBounces,
  messaging,
  orders,
  payments,
  pickupLocations,
  pricing,
  productCollections,
  products,
  promotions,
  returns,
  reviews,
  search,
  shipping,
  store,
  storeCredit,
  tax,
  webhookEndpoints,
  wishlist,
};
