// Generated from stoa/v1/*.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { CallOptions, Choice, Chosen, FieldNames, Listing, Upload } from '#proto/client/method.ts';
import type { ClientResource } from '#proto/client/resource.ts';
import type { AccountSessionRecord, ApiKey, AuditRecord, BounceAddressResponse, CapturePaymentRequest, CategoryResponse, ChannelRejection, ChannelResponse, CheckoutIntent, CollectionResponse, ConfirmPurchaseOrderRequest, ConfirmResetRequest, ConnectGrant, ConnectPaymentProviderRequest, ConnectSession, ConnectSessionResponse, ConnectedProvider, ContentViews, CreateAdjustmentRequest, CreateCategoryRequest, CreateChannelRequest, CreateCollectionRequest, CreateConnectSessionRequest, CreateCustomerRequest, CreateEndpointRequest, CreateFeedRequest, CreateGiftCardRequest, CreateInvitationRequest, CreateInvitationResponse, CreateInvoiceRequest, CreateKeyRequest, CreateLookbookRequest, CreateOrderRequest, CreatePostRequest, CreatePriceListRequest, CreateProductRequest, CreatePromotionRequest, CreateProviderRequest, CreateRefundRequest, CreateShipmentRequest, CreateTaxRateRequest, CreateVariantRequest, CreateWholesaleQuoteRequest, Customer, CustomerErasure, CustomerErasureResponse, CustomerResponse, DeleteCategoryRequest, DeleteChannelRequest, DeleteCollectionRequest, DeleteCustomerRequest, DeleteCustomerSessionRequest, DeleteEndpointRequest, DeleteExchangeRateRequest, DeleteFeedRequest, DeleteGrantRequest, DeleteInvitationRequest, DeleteKeyRequest, DeleteLookbookRequest, DeleteMailSuppressionRequest, DeleteMailTemplateRequest, DeleteMediaRequest, DeletePostRequest, DeletePriceListRequest, DeleteProductRequest, DeletePromotionRequest, DeleteProviderRequest, DeleteStaffRequest, DeleteTaxRateRequest, DeleteVariantRequest, Deleted, DeletedExchangeRate, DisconnectPaymentProviderRequest, DisputeResponse, EndCustomerSessionsRequest, EndCustomerSessionsResponse, EndpointResponse, EraseCustomerRequest, EventResponse, ExchangeRateResponse, FeedResponse, FulfillPurchaseOrderRequest, FunnelReport, GetActivityRequest, GetActivityResponse, GetAnalyticsRequest, GetAnalyticsResponse, GetChannelRequest, GetClockResponse, GetCustomerErasureRequest, GetEndpointRequest, GetEventRequest, GetFunnelRequest, GetFunnelResponse, GetInventoryRequest, GetJobRequest, GetMailTemplateRequest, GetMeResponse, GetMediaRequest, GetOrderRequest, GetPriceListRequest, GetRequestRequest, GetRequestResponse, GetSalesRequest, GetSalesResponse, GetUsageResponse, GiftCardResponse, GrantStoreCreditRequest, InboundFeed, IngestionJob, InitializePaymentRequest, InitializePaymentResponse, InventoryResponse, InventoryUnitHold, InvoiceResponse, IssuedGiftCard, JobResponse, KeyResponse, ListAdjustmentsRequest, ListAdjustmentsResponse, ListAuditLogRequest, ListAuditLogResponse, ListChannelsRequest, ListChannelsResponse, ListCheckoutIntentsRequest, ListCheckoutIntentsResponse, ListConnectSessionsRequest, ListConnectSessionsResponse, ListCustomerSessionsRequest, ListCustomerSessionsResponse, ListCustomersRequest, ListCustomersResponse, ListEventsRequest, ListEventsResponse, ListExchangeRatesResponse, ListFeedsRequest, ListFeedsResponse, ListGrantsRequest, ListGrantsResponse, ListHoldsRequest, ListHoldsResponse, ListInventoryRequest, ListInventoryResponse, ListInvitationsResponse, ListIssuedCardsRequest, ListIssuedCardsResponse, ListJobsRequest, ListJobsResponse, ListKeysRequest, ListKeysResponse, ListMailSuppressionsRequest, ListMailSuppressionsResponse, ListMailTemplatesResponse, ListMediaRequest, ListMediaResponse, ListMessagesRequest, ListMessagesResponse, ListOrdersRequest, ListOrdersResponse, ListPaymentProvidersRequest, ListPaymentProvidersResponse, ListPaymentsRequest, ListPaymentsResponse, ListPriceListsRequest, ListPriceListsResponse, ListProvidersRequest, ListProvidersResponse, ListRejectionsRequest, ListRejectionsResponse, ListStaffResponse, ListTaxRatesRequest, ListTaxRatesResponse, ListedPayment, LoginRequest, LogoutResponse, MailAccepted, MailTemplateResponse, MailTemplateSource, MediaResponse, ModerateReviewRequest, NamedStockLevel, OrderResponse, PasswordChanged, PayInvoiceRequest, PaymentProvider, PaymentProviderResponse, PaymentState, PostResponse, PreviewMailTemplateRequest, PreviewMailTemplateResponse, PriceListResponse, PriceListing, Product, PromotionResponse, ProviderResponse, PurchaseOrderResponse, PushRequest, PutConfigRequest, PutExchangeRateRequest, PutMailTemplateRequest, PutPolicyRequest, PutPolicyResponse, RecommendRequest, RecommendResponse, RefreshRequest, RefundResponse, RegisterRequest, ReplayEventRequest, ReplayEventResponse, ResetPasswordRequest, ResetSandboxRequest, ResetSandboxResponse, RetryEventRequest, ReturnResponse, ReviewResponse, RollKeyRequest, RotateSecretRequest, SalesReport, SendMagicLinkRequest, SendOtpRequest, SentMessage, SetCollectionProductsRequest, SetCustomerGroupRequest, SettleSimulatedRequest, ShipmentResponse, ShippingConfig, SignedIn, StaffInvitation, StaffMember, StaffResponse, StockAdjustment, StockLevel, StoreChannel, StoreCreditResponse, StoreExchangeRate, StoreLookbook, StoreOrder, StoreTaxRate, StoredMedia, SuppressedAddress, SyncChannelRequest, SyncFeedRequest, TaxRateResponse, TestEndpointRequest, TestEndpointResponse, ThreadResponse, TravelTimeRequest, TravelTimeResponse, UpdateCategoryRequest, UpdateChannelRequest, UpdateCollectionRequest, UpdateDisputeRequest, UpdateEndpointRequest, UpdateFeedRequest, UpdateGiftCardRequest, UpdateKeyRequest, UpdateLookbookRequest, UpdateOrderRequest, UpdatePasswordRequest, UpdatePostRequest, UpdatePriceListRequest, UpdateProductRequest, UpdatePromotionRequest, UpdateReturnRequest, UpdateStaffRequest, UpdateStoreRequest, UpdateStoreResponse, UpdateTaxRateRequest, UpdateThreadRequest, UpdateVariantRequest, UploadMediaRequest, Usage, VerifyMagicLinkRequest, VerifyOtpRequest, VerifyPaymentRequest, VoidInvoiceRequest, VoidPaymentRequest, WebhookEndpoint, WebhookEvent, WholesaleQuoteResponse } from './message.ts';

export interface ServerResources {
  readonly agent: {
    readonly checkoutIntents: {
      /**
       * All of the store, in every status, the newest first.
       *
       * `GET /v1/agent/checkout-intents`
       */
      list<const F extends FieldNames<CheckoutIntent> = undefined>(request?: ListCheckoutIntentsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListCheckoutIntentsResponse, "data", F>, "data">;
    };
  };
  readonly auditLog: {
    /**
     * Records of writes in the key's environment, newest first: by keys, staff, apps and operators. Shoppers' own writes are not
     * among them.
     *
     * `GET /v1/audit-log`
     */
    list<const F extends FieldNames<AuditRecord> = undefined>(request?: ListAuditLogRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListAuditLogResponse, "audit_log", F>, "audit_log">;
  };
  readonly auth: {
    /**
     * Signs in with e-mail address and password. An unknown address and a wrong password get the same 401. After ten
     * failed logins of an account in 15 minutes, one login a minute is checked and every other one is 429. An account is
     * never locked.
     *
     * `POST /v1/auth/login`
     */
    login(request: LoginRequest, options?: CallOptions): Promise<SignedIn>;
    /**
     * Ends the session of the token in `x-auth-token`: its access and refresh tokens are of no use from now on.
     *
     * `POST /v1/auth/logout`, for a signed-in shopper
     */
    logout(options?: CallOptions): Promise<LogoutResponse>;
    /**
     * Changes a refresh token for a new pair of tokens. A refresh token lives 30 days and works once: one that is used
     * again ends the session that it belongs to, with all tokens ever made from it.
     *
     * `POST /v1/auth/refresh`
     */
    refresh(request: RefreshRequest, options?: CallOptions): Promise<SignedIn>;
    /**
     * Creates an account and signs in. An e-mail address, letter case ignored, has one account: a second registration is
     * 409 `conflict`. Sends `customer.created`.
     *
     * `POST /v1/auth/register`
     */
    register(request: RegisterRequest, options?: CallOptions): Promise<SignedIn>;
    /**
     * Mails a code of six digits that signs in once, within 10 minutes and 5 tries; a new one ends the one before. An
     * address that has no account is answered alike, and no mail is sent.
     *
     * `POST /v1/auth/send-otp`
     */
    sendOtp(request: SendOtpRequest, options?: CallOptions): Promise<MailAccepted>;
    /**
     * Changes the password of the customer who is signed in with `x-auth-token`. All their other sessions end. A wrong current
     * password is 401 and counts as a failed login.
     *
     * `POST /v1/auth/update-password`, for a signed-in shopper
     */
    updatePassword(request: UpdatePasswordRequest, options?: CallOptions): Promise<PasswordChanged>;
    /**
     * Signs in with a one-time code. Wrong codes are counted apart from failed logins. The first proof of the address of
     * an account older than an hour ends its earlier sessions and its password, since anyone may have registered with
     * that address. A request with the account's own session in `x-auth-token` keeps them.
     *
     * `POST /v1/auth/verify-otp`
     */
    verifyOtp(request: VerifyOtpRequest, options?: CallOptions): Promise<SignedIn>;
    readonly magicLink: {
      /**
       * Mails a link that signs its reader in once, within 15 minutes. An address that has no account is answered alike, and
       * no mail is sent. `redirect_to` has the origin of the store's `website_url` or one of its `allowed_redirect_origins`;
       * the link leads there with its secret in the query parameter `token`.
       *
       * `POST /v1/auth/magic-link`
       */
      send(request: SendMagicLinkRequest, options?: CallOptions): Promise<MailAccepted>;
      /**
       * Signs in with the token of a magic link, once. The first proof of the address of an account older than an hour ends
       * its earlier sessions and its password, since anyone may have registered with that address. A request with the
       * account's own session in `x-auth-token` keeps them.
       *
       * `POST /v1/auth/magic-link/verify`
       */
      verify(request: VerifyMagicLinkRequest, options?: CallOptions): Promise<SignedIn>;
    };
    readonly me: {
      /**
       * The customer who is signed in.
       *
       * `GET /v1/auth/me`, for a signed-in shopper
       */
      get<const F extends FieldNames<Customer> = undefined>(request?: Choice<F>, options?: CallOptions): Promise<Chosen<GetMeResponse, "customer", F>>;
    };
    readonly resetPassword: {
      /**
       * Sets a new password with the token of a reset link, once. All sessions of the customer end.
       *
       * `POST /v1/auth/reset-password/confirm`
       */
      confirm(request: ConfirmResetRequest, options?: CallOptions): Promise<PasswordChanged>;
      /**
       * Mails a link with which a new password can be set once, within 60 minutes. An address that has no account is
       * answered alike, and no mail is sent. Past five attempts for one address in 15 minutes one a minute is admitted and
       * every other one is 429 with `Retry-After`.
       *
       * `POST /v1/auth/reset-password`
       */
      request(request: ResetPasswordRequest, options?: CallOptions): Promise<MailAccepted>;
    };
  };
  readonly b2b: {
    readonly invoices: {
      /**
       * Bills a purchase order that is confirmed or fulfilled: the items that are named, else all that is on no invoice yet.
       * More than that: 409. Sends `b2b.invoice.issued`.
       *
       * `POST /v1/b2b/invoices`
       */
      create(request: CreateInvoiceRequest, options?: CallOptions): Promise<InvoiceResponse>;
      /**
       * Records payment of the whole invoice: another amount than the amount due is 400 `amount_mismatch`. The invoice's
       * amount is added to the paid amount of its order. A paid or void invoice is 409. Sends `b2b.invoice.paid`, and
       * `order.paid` with the last invoice of its order.
       *
       * `POST /v1/b2b/invoices/{id}/pay`
       */
      pay(request: PayInvoiceRequest, options?: CallOptions): Promise<InvoiceResponse>;
      /**
       * Voids an issued or overdue invoice; its lines may be invoiced again. Any other status is 409.
       *
       * `POST /v1/b2b/invoices/{id}/void`
       */
      void(request: VoidInvoiceRequest, options?: CallOptions): Promise<InvoiceResponse>;
    };
    readonly purchaseOrders: {
      /**
       * The store takes it: an order is placed at the quoted prices, and its stock taken. One that is not `issued`: 409; too
       * little stock: 409 `insufficient_stock`, and it stays `issued`. Sends `b2b.po.confirmed` and `order.created`.
       *
       * `POST /v1/b2b/purchase-orders/{id}/confirm`
       */
      confirm(request: ConfirmPurchaseOrderRequest, options?: CallOptions): Promise<PurchaseOrderResponse>;
      /**
       * Ships the unshipped rest of its order. A purchase order that is not `confirmed` is 409. Sends `b2b.po.fulfilled`
       * and `order.fulfilled`.
       *
       * `POST /v1/b2b/purchase-orders/{id}/fulfill`
       */
      fulfill(request: FulfillPurchaseOrderRequest, options?: CallOptions): Promise<PurchaseOrderResponse>;
    };
    readonly quotes: {
      /**
       * Sends a quote: to the buyer of `rfq_id`, whose request becomes `quoted`, or to `customer_id`. Prices are agreed, tax
       * is that of `shipping_address`, else of the store's country. Sends `b2b.quote.sent`.
       *
       * `POST /v1/b2b/quotes`
       */
      create(request: CreateWholesaleQuoteRequest, options?: CallOptions): Promise<WholesaleQuoteResponse>;
    };
  };
  readonly blog: {
    readonly posts: {
      /**
       * Sends `post.published` where it is published at once.
       *
       * `POST /v1/blog/posts`
       */
      create(request: CreatePostRequest, options?: CallOptions): Promise<PostResponse>;
      /**
       * Deletes a post and frees its slug.
       *
       * `DELETE /v1/blog/posts/{id}`
       */
      delete(request: DeletePostRequest, options?: CallOptions): Promise<Deleted>;
      /**
       * Changes what the body names. Any status may follow any other; `post.published` is sent at the first publication alone.
       *
       * `PATCH /v1/blog/posts/{id}`
       */
      update(request: UpdatePostRequest, options?: CallOptions): Promise<PostResponse>;
    };
  };
  readonly categories: {
    /**
     * Makes a top category, or a subcategory of `parent_id`.
     *
     * `POST /v1/categories`
     */
    create(request: CreateCategoryRequest, options?: CallOptions): Promise<CategoryResponse>;
    /**
     * Deletes it with its subcategories; their products stay, without a category.
     *
     * `DELETE /v1/categories/{id}`
     */
    delete(request: DeleteCategoryRequest, options?: CallOptions): Promise<Deleted>;
    /**
     * Changes what the body names. With `parent_id` the category moves, and its products with it. A category cannot be below
     * itself or one of its subcategories (400), and one with subcategories stays at the top (409).
     *
     * `PATCH /v1/categories/{id}`
     */
    update(request: UpdateCategoryRequest, options?: CallOptions): Promise<CategoryResponse>;
  };
  readonly channels: {
    /**
     * Connects a channel: all active products are pushed to its URL at once, and every change within seconds. A push is a
     * POST of `application/x-ndjson`, at most 1,000 products, signed like a webhook; the channel answers `{ "results": [{
     * "product_id", "status": "accepted"|"rejected", "message" }] }` with a result for each product. A failed push is
     * retried like a webhook. Sends `channel.connected`.
     *
     * `POST /v1/channels`
     */
    create(request: CreateChannelRequest, options?: CallOptions): Promise<ChannelResponse>;
    /**
     * `DELETE /v1/channels/{id}`
     */
    delete(request: DeleteChannelRequest, options?: CallOptions): Promise<Deleted>;
    /**
     * `GET /v1/channels/{id}`
     */
    get<const F extends FieldNames<StoreChannel> = undefined>(request: GetChannelRequest & Choice<F>, options?: CallOptions): Promise<Chosen<ChannelResponse, "channel", F>>;
    /**
     * Newest first. Signing secrets never come back.
     *
     * `GET /v1/channels`
     */
    list<const F extends FieldNames<StoreChannel> = undefined>(request?: ListChannelsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListChannelsResponse, "channels", F>, "channels">;
    /**
     * Pushes everything again, rejected products included; a paused channel's products are pushed once it resumes. Sends
     * `channel.sync.completed` at the end.
     *
     * `POST /v1/channels/{id}/sync`
     */
    sync(request: SyncChannelRequest, options?: CallOptions): Promise<ChannelResponse>;
    /**
     * Changes the fields that the body names. `status: paused` stops the pushes; `status: connected` resumes them with
     * all changes of the meantime. Another format or URL pushes everything again.
     *
     * `PATCH /v1/channels/{id}`
     */
    update(request: UpdateChannelRequest, options?: CallOptions): Promise<ChannelResponse>;
    readonly rejections: {
      /**
       * Products that the channel refused in the latest push, newest first.
       *
       * `GET /v1/channels/{id}/rejections`
       */
      list<const F extends FieldNames<ChannelRejection> = undefined>(request: ListRejectionsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListRejectionsResponse, "rejections", F>, "rejections">;
    };
  };
  readonly connect: {
    readonly grants: {
      /**
       * Ends a grant: its tokens open nothing from here on.
       *
       * `DELETE /v1/connect/grants/{id}`
       */
      delete(request: DeleteGrantRequest, options?: CallOptions): Promise<Deleted>;
      /**
       * Lists grants with the client, the start and the last use of each, newest first. A grant that was revoked or whose
       * tokens have all expired is left out.
       *
       * `GET /v1/connect/grants`
       */
      list<const F extends FieldNames<ConnectGrant> = undefined>(request?: ListGrantsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListGrantsResponse, "grants", F>, "grants">;
    };
    readonly sessions: {
      /**
       * Prepares a decision: the app opens `connect_url` in the merchant's browser with the parameters of an authorization
       * request (`response_type=code`, `client_id`, `redirect_uri`, `scope`, `state`, `code_challenge`,
       * `code_challenge_method=S256`); there the merchant allows or denies. Good for one decision within 30 minutes. Without
       * `client_id` a public client is registered with it.
       *
       * `POST /v1/connect/sessions`
       */
      create(request: CreateConnectSessionRequest, options?: CallOptions): Promise<ConnectSessionResponse>;
      /**
       * Newest first.
       *
       * `GET /v1/connect/sessions`
       */
      list<const F extends FieldNames<ConnectSession> = undefined>(request?: ListConnectSessionsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListConnectSessionsResponse, "sessions", F>, "sessions">;
    };
  };
  readonly console: {
    readonly activity: {
      /**
       * The latest requests that were made with keys of this store and environment, newest first, and what their rate and
       * latency were, second by second. Each edge tells of those that it answered itself; asking this counts nowhere.
       *
       * `GET /v1/console/activity`
       */
      get(request?: GetActivityRequest, options?: CallOptions): Promise<GetActivityResponse>;
    };
    readonly requests: {
      /**
       * One request. A refused request has its body and its answer, without passwords, keys, tokens and codes. An edge
       * stores the bodies of its latest thousand refused requests.
       *
       * `GET /v1/console/requests/{request_id}`
       */
      get(request: GetRequestRequest, options?: CallOptions): Promise<GetRequestResponse>;
    };
  };
  readonly content: {
    readonly analytics: {
      /**
       * Views by publishable keys, the most viewed first. One view counts for each session within half an hour. Days are
       * those of the store's `timezone`. A day without views is left out; a post or lookbook without views is left out
       * unless `id` names it.
       *
       * `GET /v1/content/analytics`
       */
      get<const F extends FieldNames<ContentViews> = undefined>(request?: GetAnalyticsRequest & Choice<F>, options?: CallOptions): Promise<Chosen<GetAnalyticsResponse, "analytics", F>>;
    };
  };
  readonly customers: {
    /**
     * Adds a customer without a password. An e-mail address is unique in the store, and so is an `external_id`: a second
     * customer with either is 409 `conflict`. Sends `customer.created`.
     *
     * `POST /v1/customers`
     */
    create(request: CreateCustomerRequest, options?: CallOptions): Promise<CustomerResponse>;
    /**
     * Ends the account and all its sessions; its e-mail address is free again, its orders stay. Sends `customer.deleted`.
     *
     * `DELETE /v1/customers/{id}`
     */
    delete(request: DeleteCustomerRequest, options?: CallOptions): Promise<Deleted>;
    /**
     * Erases a person permanently. The account ends at once. The other records follow within a minute: messages, mails, carts and
     * wishlists are deleted, orders, payments and invoices keep their amounts, reviews keep their text. A call for an erased
     * customer erases newer records. Sends `customer.deleted` unless the customer was deleted before.
     *
     * `POST /v1/customers/{id}/erase`
     */
    erase(request: EraseCustomerRequest, options?: CallOptions): Promise<CustomerErasureResponse>;
    /**
     * Tells whether the erasure of a customer is complete.
     *
     * `GET /v1/customers/{id}/erasure`
     */
    getErasure<const F extends FieldNames<CustomerErasure> = undefined>(request: GetCustomerErasureRequest & Choice<F>, options?: CallOptions): Promise<Chosen<CustomerErasureResponse, "erasure", F>>;
    /**
     * The store's customers, newest first.
     *
     * `GET /v1/customers`
     */
    list<const F extends FieldNames<Customer> = undefined>(request?: ListCustomersRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListCustomersResponse, "customers", F>, "customers">;
    /**
     * Puts a customer into a group, whose price lists apply to them from now on; null takes them out. Sends
     * `customer.updated`.
     *
     * `PUT /v1/customers/{id}/group`
     */
    setGroup(request: SetCustomerGroupRequest, options?: CallOptions): Promise<CustomerResponse>;
    readonly sessions: {
      /**
       * Ends one session: its access and refresh tokens are of no use from now on.
       *
       * `DELETE /v1/customers/{id}/sessions/{session_id}`
       */
      delete(request: DeleteCustomerSessionRequest, options?: CallOptions): Promise<Deleted>;
      /**
       * Ends all sessions of a customer. The password stays; change it by a reset if someone else knows it.
       *
       * `DELETE /v1/customers/{id}/sessions`
       */
      end(request: EndCustomerSessionsRequest, options?: CallOptions): Promise<EndCustomerSessionsResponse>;
      /**
       * A customer's sessions, the newest first.
       *
       * `GET /v1/customers/{id}/sessions`
       */
      list<const F extends FieldNames<AccountSessionRecord> = undefined>(request: ListCustomerSessionsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListCustomerSessionsResponse, "sessions", F>, "sessions">;
    };
  };
  readonly disputes: {
    /**
     * Moves a dispute on: open → under_review → resolved or rejected; anything else 409. A resolution by `refund` or
     * `store_credit` pays its `amount` in the same transaction. The same status again changes nothing.
     *
     * `PATCH /v1/disputes/{id}`
     */
    update(request: UpdateDisputeRequest, options?: CallOptions): Promise<DisputeResponse>;
  };
  readonly exchangeRates: {
    /**
     * Removes a rate. Without one the currency is neither shown nor sold.
     *
     * `DELETE /v1/exchange-rates/{currency}`
     */
    delete(request: DeleteExchangeRateRequest, options?: CallOptions): Promise<DeletedExchangeRate>;
    /**
     * All rates, by currency.
     *
     * `GET /v1/exchange-rates`
     */
    list<const F extends FieldNames<StoreExchangeRate> = undefined>(request?: Choice<F>, options?: CallOptions): Promise<Chosen<ListExchangeRatesResponse, "exchange_rates", F>>;
    /**
     * Sets or renews a rate as a whole; its age begins anew. Prices in the currency change at once.
     *
     * `PUT /v1/exchange-rates/{currency}`
     */
    put(request: PutExchangeRateRequest, options?: CallOptions): Promise<ExchangeRateResponse>;
  };
  readonly giftCards: {
    /**
     * Makes a card with an amount on it. Sends `gift_card.issued`.
     *
     * `POST /v1/gift-cards`
     */
    create(request: CreateGiftCardRequest, options?: CallOptions): Promise<GiftCardResponse>;
    /**
     * Disables an active card, finally. The balance stays on the card and cannot be spent.
     *
     * `PATCH /v1/gift-cards/{id}`
     */
    update(request: UpdateGiftCardRequest, options?: CallOptions): Promise<GiftCardResponse>;
    readonly issued: {
      /**
       * Lists the cards that the store issued, newest first, without their codes.
       *
       * `GET /v1/gift-cards/issued`
       */
      list<const F extends FieldNames<IssuedGiftCard> = undefined>(request?: ListIssuedCardsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListIssuedCardsResponse, "gift_cards", F>, "gift_cards">;
    };
  };
  readonly ingestion: {
    /**
     * Stores a whole catalogue or a part of it and then answers; a job applies its products, in the order in which a
     * store's pushes were accepted. The body of `application/x-ndjson` is one product a line.
     *
     * A product is `{ external_id, category, sku, price, … }`: the fields of `POST /v1/products` without its category
     * ids, `category` being names from the top down (`Shoes > Running`), which are created if they are missing. A row
     * changes the named fields of the product with its `external_id`, or creates that product. An invalid row fails
     * alone; of two rows with one `external_id` the last wins. `replace` deactivates the products with an `external_id`
     * that this push leaves out. A `dry_run` reads, checks and counts the same rows, and writes no product.
     *
     * `POST /v1/ingestion/push`
     */
    push(request?: PushRequest, options?: CallOptions): Promise<JobResponse>;
    readonly feeds: {
      /**
       * A file at an address of the merchant's that we fetch, when asked to or by a schedule. With a live key the address is
       * https, names a public host, and its port is 443, 8443 or from 1024 up.
       *
       * `POST /v1/ingestion/feeds`
       */
      create(request: CreateFeedRequest, options?: CallOptions): Promise<FeedResponse>;
      /**
       * Deletes a feed, and keeps its products and its past jobs.
       *
       * `DELETE /v1/ingestion/feeds/{id}`
       */
      delete(request: DeleteFeedRequest, options?: CallOptions): Promise<Deleted>;
      /**
       * Newest first.
       *
       * `GET /v1/ingestion/feeds`
       */
      list<const F extends FieldNames<InboundFeed> = undefined>(request?: ListFeedsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListFeedsResponse, "feeds", F>, "feeds">;
      /**
       * Fetches the file and takes it in as a job. Sends `feed.sync.completed`. While a job of the feed waits for its turn
       * already: 409 `conflict`.
       *
       * `POST /v1/ingestion/feeds/{id}/sync`
       */
      sync(request: SyncFeedRequest, options?: CallOptions): Promise<JobResponse>;
      /**
       * Changes what the body names.
       *
       * `PATCH /v1/ingestion/feeds/{id}`
       */
      update(request: UpdateFeedRequest, options?: CallOptions): Promise<FeedResponse>;
    };
    readonly jobs: {
      /**
       * How far a job is, or how it ended, with the first thousand of its errors.
       *
       * `GET /v1/ingestion/jobs/{id}`
       */
      get<const F extends FieldNames<IngestionJob> = undefined>(request: GetJobRequest & Choice<F>, options?: CallOptions): Promise<Chosen<JobResponse, "job", F>>;
      /**
       * Newest first; each with the first ten of its errors.
       *
       * `GET /v1/ingestion/jobs`
       */
      list<const F extends FieldNames<IngestionJob> = undefined>(request?: ListJobsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListJobsResponse, "jobs", F>, "jobs">;
    };
  };
  readonly inventory: {
    /**
     * Changes the stock on hand by `delta` or to `on_hand`. A negative result is 409 `insufficient_stock`.
     *
     * `POST /v1/inventory/adjustments`
     */
    adjust(request: CreateAdjustmentRequest, options?: CallOptions): Promise<InventoryResponse>;
    /**
     * A variant's level: on hand, held, and what can be bought.
     *
     * `GET /v1/inventory/{variant_id}`
     */
    get<const F extends FieldNames<StockLevel> = undefined>(request: GetInventoryRequest & Choice<F>, options?: CallOptions): Promise<Chosen<InventoryResponse, "inventory", F>>;
    /**
     * The levels of all variants, by the names of their products.
     *
     * `GET /v1/inventory`
     */
    list<const F extends FieldNames<NamedStockLevel> = undefined>(request?: ListInventoryRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListInventoryResponse, "inventory", F>, "inventory">;
    readonly adjustments: {
      /**
       * The adjustments of a variant's stock, newest first, of the last two years.
       *
       * `GET /v1/inventory/{variant_id}/adjustments`
       */
      list<const F extends FieldNames<StockAdjustment> = undefined>(request: ListAdjustmentsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListAdjustmentsResponse, "adjustments", F>, "adjustments">;
    };
    readonly holds: {
      /**
       * Lists the holds of a variant's units, of checkouts and of orders that are being placed, the first to end first. Carts, cart
       * drafts, quotes and purchase orders hold nothing. Units of a placed order are no longer on hand.
       *
       * `GET /v1/inventory/{variant_id}/holds`
       */
      list<const F extends FieldNames<InventoryUnitHold> = undefined>(request: ListHoldsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListHoldsResponse, "holds", F>, "holds">;
    };
  };
  readonly keys: {
    /**
     * Creates a key. Only this answer shows its `secret`, and a secret key's `hmac_secret`, which signs its requests. With
     * `scopes` the key is restricted: it opens only endpoints of these scopes. A retry under the same `Idempotency-Key`
     * shows both again within 24 hours. A store has at most 100 keys that work.
     *
     * `POST /v1/keys`
     */
    create(request: CreateKeyRequest, options?: CallOptions): Promise<KeyResponse>;
    /**
     * Revokes a key: within a second it opens nothing. The last full live secret key of a store is 409; create or roll one first.
     *
     * `DELETE /v1/keys/{id}`
     */
    delete(request: DeleteKeyRequest, options?: CallOptions): Promise<Deleted>;
    /**
     * Lists the keys of both environments, newest first, those that ended included. A key's text is never shown again; the
     * list shows how it begins and ends. `last_used_at` is exact to a minute.
     *
     * `GET /v1/keys`
     */
    list<const F extends FieldNames<ApiKey> = undefined>(request?: ListKeysRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListKeysResponse, "keys", F>, "keys">;
    /**
     * Replaces a key by a new one with the same name, environment and scopes, whose `secret` and `hmac_secret` only this answer
     * shows. The former key works for `overlap_hours` more. One that was rolled before is 409: roll the key that replaced it.
     *
     * `POST /v1/keys/{id}/roll`
     */
    roll(request: RollKeyRequest, options?: CallOptions): Promise<KeyResponse>;
    /**
     * Changes a key's name or scopes; other scopes apply within a second. `scopes: null` makes it a full key. The last full
     * live secret key stays full: 409.
     *
     * `PATCH /v1/keys/{id}`
     */
    update(request: UpdateKeyRequest, options?: CallOptions): Promise<KeyResponse>;
  };
  readonly lookbooks: {
    /**
     * Answers the lookbook itself. Sends `lookbook.published` where it is published at once.
     *
     * `POST /v1/lookbooks`
     */
    create(request: CreateLookbookRequest, options?: CallOptions): Promise<StoreLookbook>;
    /**
     * Deletes a lookbook and frees its slug.
     *
     * `DELETE /v1/lookbooks/{id}`
     */
    delete(request: DeleteLookbookRequest, options?: CallOptions): Promise<Deleted>;
    /**
     * Changes what the body names; `images` are replaced as a whole, and hotspots whose ids are sent back keep them.
     * `lookbook.published` is sent at the first publication alone.
     *
     * `PATCH /v1/lookbooks/{id}`
     */
    update(request: UpdateLookbookRequest, options?: CallOptions): Promise<StoreLookbook>;
  };
  readonly mailSuppressions: {
    /**
     * Sends mail to the address again.
     *
     * `DELETE /v1/mail-suppressions/{id}`
     */
    delete(request: DeleteMailSuppressionRequest, options?: CallOptions): Promise<Deleted>;
    /**
     * Newest first. `unsubscribed` stops marketing alone; the other reasons stop every mail to the address.
     *
     * `GET /v1/mail-suppressions`
     */
    list<const F extends FieldNames<SuppressedAddress> = undefined>(request?: ListMailSuppressionsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListMailSuppressionsResponse, "mail_suppressions", F>, "mail_suppressions">;
    readonly bounceAddress: {
      /**
       * Creates the URL to which the mail provider reports bounces and complaints. The URL contains a secret, which only this
       * answer shows, and replaces the URL before.
       *
       * `POST /v1/mail-suppressions/bounce-address`
       */
      create(options?: CallOptions): Promise<BounceAddressResponse>;
    };
  };
  readonly mailTemplates: {
    /**
     * Goes back to the built-in template and its default of being sent; with `language`, to the built-in template of that
     * language alone.
     *
     * `DELETE /v1/mail-templates/{kind}`
     */
    delete(request: DeleteMailTemplateRequest, options?: CallOptions): Promise<MailTemplateResponse>;
    /**
     * One kind of mail with its template in a language, or in the nearest one that it has. Without `language`: in the store's
     * default language, with what the store wrote in others.
     *
     * `GET /v1/mail-templates/{kind}`
     */
    get<const F extends FieldNames<MailTemplateSource> = undefined>(request: GetMailTemplateRequest & Choice<F>, options?: CallOptions): Promise<Chosen<MailTemplateResponse, "mail_template", F>>;
    /**
     * Every kind of mail with its template in the store's default language. Kinds that are not `editable` contain a secret
     * that opens an account: no store changes or disables them.
     *
     * `GET /v1/mail-templates`
     */
    list<const F extends FieldNames<MailTemplateSource> = undefined>(request?: Choice<F>, options?: CallOptions): Promise<Chosen<ListMailTemplatesResponse, "mail_templates", F>>;
    /**
     * Renders a template with example data, or with those of an order of the store. Parts that are left out are the current
     * ones. Sends nothing and stores nothing.
     *
     * `POST /v1/mail-templates/{kind}/preview`
     */
    preview(request: PreviewMailTemplateRequest, options?: CallOptions): Promise<PreviewMailTemplateResponse>;
    /**
     * Changes a template, or whether the kind is sent. Parts that are left out are the built-in ones. A template that does
     * not compile, or names a variable that the kind does not have, is 400 with its part in `param` and its line in
     * `details`; so is a language that is none of the store's.
     *
     * `PUT /v1/mail-templates/{kind}`
     */
    put(request: PutMailTemplateRequest, options?: CallOptions): Promise<MailTemplateResponse>;
  };
  readonly media: {
    /**
     * Makes the address answer 404; browsers and proxies may still show copies that they have. Products that name the address
     * are not changed.
     *
     * `DELETE /v1/media/{id}`
     */
    delete(request: DeleteMediaRequest, options?: CallOptions): Promise<Deleted>;
    /**
     * `GET /v1/media/{id}`
     */
    get<const F extends FieldNames<StoredMedia> = undefined>(request: GetMediaRequest & Choice<F>, options?: CallOptions): Promise<Chosen<MediaResponse, "media", F>>;
    /**
     * Newest first.
     *
     * `GET /v1/media`
     */
    list<const F extends FieldNames<StoredMedia> = undefined>(request?: ListMediaRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListMediaResponse, "media", F>, "media">;
    /**
     * Stores a JPEG, PNG, WebP, AVIF, GIF or MP4 of at most 20 MiB: the part `file` of a form, or the whole body. The content
     * alone decides what a file is; its name and its declared type do not count. A picture has at most 64 million pixels and
     * 16,383 a side.
     *
     * Pictures are written anew, upright and without EXIF, GPS position or any other metadata. An AVIF becomes a WebP, since
     * sales channels take none. GIF and WebP keep their animation. Renditions are WebP. A GIF and a video are stored as they
     * are, without their metadata.
     *
     * `POST /v1/media`
     */
    upload(request: UploadMediaRequest & Upload, options?: CallOptions): Promise<MediaResponse>;
  };
  readonly messaging: {
    readonly threads: {
      /**
       * Closes a thread or opens it again. The status that it has already changes nothing.
       *
       * `PATCH /v1/messaging/threads/{id}`
       */
      update(request: UpdateThreadRequest, options?: CallOptions): Promise<ThreadResponse>;
    };
  };
  readonly orders: {
    /**
     * Places an order from exactly one of `items`, a cart (`cart: true` with `session_id` or `customer_id`),
     * `checkout_intent_id` and `quote_id`. The server prices everything; stock leaves what can be bought; an order with
     * nothing left to pay is paid at once. Sends `order.created`.
     *
     * `POST /v1/orders`
     */
    create(request: CreateOrderRequest, options?: CallOptions): Promise<OrderResponse>;
    /**
     * `GET /v1/orders/{id}`
     */
    get<const F extends FieldNames<StoreOrder> = undefined>(request: GetOrderRequest & Choice<F>, options?: CallOptions): Promise<Chosen<OrderResponse, "order", F>>;
    /**
     * Newest first.
     *
     * `GET /v1/orders`
     */
    list<const F extends FieldNames<StoreOrder> = undefined>(request?: ListOrdersRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListOrdersResponse, "orders", F>, "orders">;
    /**
     * Changes an order's status, records a payment taken elsewhere, or changes the order's fields. A status may skip
     * steps forward but never goes back: 409. Sends the event of the new status, else `order.updated`.
     *
     * `PATCH /v1/orders/{id}`
     */
    update(request: UpdateOrderRequest, options?: CallOptions): Promise<OrderResponse>;
    readonly refunds: {
      /**
       * Refunds a part of the paid amount: first to payments, then to store credit, then to gift cards, each up to the
       * amount it paid. Items with `restock` return to stock. Sends `order.refunded`.
       *
       * `POST /v1/orders/{id}/refunds`
       */
      create(request: CreateRefundRequest, options?: CallOptions): Promise<RefundResponse>;
    };
    readonly shipments: {
      /**
       * Buys a label (`rate_id` and `source`) or records a parcel sent otherwise (`carrier`, `tracking_number`). One that
       * covers the last unshipped line moves the order to `shipped`. `order.shipped` is sent for a bought label alone.
       *
       * `POST /v1/orders/{id}/shipments`
       */
      create(request: CreateShipmentRequest, options?: CallOptions): Promise<ShipmentResponse>;
    };
  };
  readonly payments: {
    /**
     * Captures an authorised payment, in whole or in part. A partial capture releases the rest to the shopper and settles
     * the order: its `amount_released` is the rest, which `amount_due` excludes. 409 `conflict` if the payment is not
     * authorised, or if its order is cancelled or paid. Until the provider confirms the capture, the payment stays
     * `authorized` with `in_progress: "capture"`. Sends `payment.captured` and `payment.succeeded`.
     *
     * `POST /v1/payments/{reference}/capture`
     */
    capture(request: CapturePaymentRequest, options?: CallOptions): Promise<PaymentState>;
    /**
     * Starts a payment with its provider. If the store lists `allowed_redirect_origins`, the URLs that shoppers return to
     * need one of these origins, or its `website_url`'s. With `order_id` the amount must be the amount due of the order,
     * else 400 `amount_mismatch`. A retry with the same key returns the original initialization.
     *
     * `POST /v1/payments/initialize`
     */
    initialize(request: InitializePaymentRequest, options?: CallOptions): Promise<InitializePaymentResponse>;
    /**
     * Payments, the newest first. With `needs_review=true` those that a person must check. Either a provider reported a
     * success whose amount or currency is missing, unreadable or not the amount due, which pays nothing. Or an order was
     * paid twice, or after it was cancelled, and the payment has not been refunded yet.
     *
     * `GET /v1/payments`
     */
    list<const F extends FieldNames<ListedPayment> = undefined>(request?: ListPaymentsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListPaymentsResponse, "payments", F>, "payments">;
    /**
     * Answers the status of a payment, and asks the provider about an unsettled one. The first to see that it succeeded
     * or failed, this call or the provider's callback, sends `payment.succeeded` or `payment.failed`.
     *
     * `POST /v1/payments/verify`
     */
    verify(request: VerifyPaymentRequest, options?: CallOptions): Promise<PaymentState>;
    /**
     * Voids an authorised payment: the provider releases the amount to the shopper, and its order can be paid again.
     * Refused with 409 `conflict` where the payment is not authorised. Sends `payment.voided`.
     *
     * `POST /v1/payments/{reference}/void`
     */
    void(request: VoidPaymentRequest, options?: CallOptions): Promise<PaymentState>;
    readonly providers: {
      /**
       * Connects a built-in provider by the credentials of an account there, or adds the merchant's own provider
       * (`custom_provider`). The merchant's own provider is called at its URLs, with requests signed like webhooks. A
       * second call for a provider replaces its credentials. Sends `payment_provider.connected`.
       *
       * `POST /v1/payments/providers`
       */
      connect(request: ConnectPaymentProviderRequest, options?: CallOptions): Promise<PaymentProviderResponse>;
      /**
       * Disconnects a provider: no new payment can be started with it. Callbacks still settle payments that were started
       * before.
       *
       * `DELETE /v1/payments/providers/{id}`
       */
      disconnect(request: DisconnectPaymentProviderRequest, options?: CallOptions): Promise<Deleted>;
      /**
       * The providers that are connected, the first one first. Credentials never come back.
       *
       * `GET /v1/payments/providers`
       */
      list<const F extends FieldNames<PaymentProvider> = undefined>(request?: ListPaymentProvidersRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListPaymentProvidersResponse, "providers", F>, "providers">;
    };
  };
  readonly priceLists: {
    /**
     * `POST /v1/price-lists`
     */
    create(request: CreatePriceListRequest, options?: CallOptions): Promise<PriceListResponse>;
    /**
     * `DELETE /v1/price-lists/{id}`
     */
    delete(request: DeletePriceListRequest, options?: CallOptions): Promise<Deleted>;
    /**
     * `GET /v1/price-lists/{id}`
     */
    get<const F extends FieldNames<PriceListing> = undefined>(request: GetPriceListRequest & Choice<F>, options?: CallOptions): Promise<Chosen<PriceListResponse, "price_list", F>>;
    /**
     * Newest first.
     *
     * `GET /v1/price-lists`
     */
    list<const F extends FieldNames<PriceListing> = undefined>(request?: ListPriceListsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListPriceListsResponse, "price_lists", F>, "price_lists">;
    /**
     * Changes what the body names; `prices` are replaced as a whole.
     *
     * `PATCH /v1/price-lists/{id}`
     */
    update(request: UpdatePriceListRequest, options?: CallOptions): Promise<PriceListResponse>;
  };
  readonly productCollections: {
    /**
     * Sends `collection.created`.
     *
     * `POST /v1/product-collections`
     */
    create(request: CreateCollectionRequest, options?: CallOptions): Promise<CollectionResponse>;
    /**
     * Deletes the collection; its products stay.
     *
     * `DELETE /v1/product-collections/{id}`
     */
    delete(request: DeleteCollectionRequest, options?: CallOptions): Promise<Deleted>;
    /**
     * Changes what the body names. Sends `collection.updated` when name, banner image, homepage placement or display
     * order changes.
     *
     * `PATCH /v1/product-collections/{id}`
     */
    update(request: UpdateCollectionRequest, options?: CallOptions): Promise<CollectionResponse>;
    readonly products: {
      /**
       * Replaces the collection's products, in this order.
       *
       * `PUT /v1/product-collections/{id}/products`
       */
      set(request: SetCollectionProductsRequest, options?: CallOptions): Promise<CollectionResponse>;
    };
  };
  readonly products: {
    /**
     * Makes a simple product from variant fields at the root, a multi-variant one from `variants`. Sends
     * `product.created` when it is published.
     *
     * `POST /v1/products`
     */
    create(request: CreateProductRequest, options?: CallOptions): Promise<Product>;
    /**
     * Takes the product out of the catalogue; orders keep what they recorded.
     *
     * `DELETE /v1/products/{id}`
     */
    delete(request: DeleteProductRequest, options?: CallOptions): Promise<Deleted>;
    /**
     * Changes what the body names. Sends `product.updated` with the previous values of the changed fields.
     *
     * `PATCH /v1/products/{id}`
     */
    update(request: UpdateProductRequest, options?: CallOptions): Promise<Product>;
    readonly variants: {
      /**
       * Adds a variant, which makes a simple product a multi-variant one.
       *
       * `POST /v1/products/{id}/variants`
       */
      create(request: CreateVariantRequest, options?: CallOptions): Promise<Product>;
      /**
       * Removes a variant. A product's last one stays: 409 `conflict`.
       *
       * `DELETE /v1/products/{id}/variants/{variant_id}`
       */
      delete(request: DeleteVariantRequest, options?: CallOptions): Promise<Deleted>;
      /**
       * Changes what the body names of one variant.
       *
       * `PATCH /v1/products/{id}/variants/{variant_id}`
       */
      update(request: UpdateVariantRequest, options?: CallOptions): Promise<Product>;
    };
  };
  readonly promotions: {
    /**
     * Sends `promotion.created`, and `promotion.activated` where it is active at once.
     *
     * `POST /v1/promotions`
     */
    create(request: CreatePromotionRequest, options?: CallOptions): Promise<PromotionResponse>;
    /**
     * Deletes a promotion of any status and frees its code. Orders keep their discounts, and open quotes and checkouts keep
     * their prices. Sends `promotion.deactivated` if it was active.
     *
     * `DELETE /v1/promotions/{id}`
     */
    delete(request: DeletePromotionRequest, options?: CallOptions): Promise<Deleted>;
    /**
     * Changes what the body names. `status` moves draft → scheduled or active, scheduled → active or paused, active ⇄ paused,
     * paused → scheduled, active or paused → ended; any other move is 409. A promotion that is paused before its `starts_at`
     * is resumed as `scheduled`; as `active` it starts now. Sends `promotion.activated` when it becomes active, and
     * `promotion.deactivated` when it no longer is.
     *
     * `PATCH /v1/promotions/{id}`
     */
    update(request: UpdatePromotionRequest, options?: CallOptions): Promise<PromotionResponse>;
  };
  /**
   * Products that a shopper may want. `next_likely`: products that others viewed, added or ordered in the same session,
   * filled up with similar and trending ones; those alone until some pair of products was seen in five sessions.
   * `similar`: products with a similar text. `trending`: products with most views, carts and orders in the last week.
   * An operator's key reads those of the merchant that `store_id` names, or of all of its merchants.
   *
   * `POST /v1/recommendations`
   */
  recommend(request?: RecommendRequest, options?: CallOptions): Promise<RecommendResponse>;
  readonly reports: {
    readonly funnel: {
      /**
       * The numbers of sessions and orders that reached each step of a purchase, in each interval and in total. Sessions are
       * known from storefront events (`POST /v1/events`). Intervals are those of the report of sales.
       *
       * `GET /v1/reports/funnel`
       */
      get<const F extends FieldNames<FunnelReport> = undefined>(request?: GetFunnelRequest & Choice<F>, options?: CallOptions): Promise<Chosen<GetFunnelResponse, "funnel", F>>;
    };
    readonly sales: {
      /**
       * The store's sales in each interval and in total. An order counts from its placement until it is cancelled. Hours,
       * days, weeks and months are those of the store's `timezone`, so a day on which clocks change has 23 or 25 hours.
       * A week starts on Monday. `from` and `to` cut the first and the last interval.
       *
       * `GET /v1/reports/sales`
       */
      get<const F extends FieldNames<SalesReport> = undefined>(request?: GetSalesRequest & Choice<F>, options?: CallOptions): Promise<Chosen<GetSalesResponse, "sales", F>>;
    };
  };
  readonly returns: {
    /**
     * Moves a return on: requested → approved → received → refunded, requested → rejected; anything else 409. `received`
     * raises `quantity_returned` of the order's items, `refunded` makes a refund of the order. The same status again
     * changes nothing.
     *
     * `PATCH /v1/returns/{id}`
     */
    update(request: UpdateReturnRequest, options?: CallOptions): Promise<ReturnResponse>;
  };
  readonly reviews: {
    /**
     * Approves or rejects a review, at any time and either way. Sends `review.approved` whenever it becomes so.
     *
     * `PATCH /v1/reviews/{id}`
     */
    moderate(request: ModerateReviewRequest, options?: CallOptions): Promise<ReviewResponse>;
  };
  readonly sandbox: {
    /**
     * Deletes the sandbox's records, idempotency keys and test time; webhook endpoints, shipping configuration, connected
     * providers and settings stay. With `copy_catalogue` products, categories, collections, price lists, promotions, tax
     * rates and shipping configuration are replaced with copies of production's, which bear the same ids.
     *
     * `POST /v1/sandbox/reset`
     */
    reset(request?: ResetSandboxRequest, options?: CallOptions): Promise<ResetSandboxResponse>;
    /**
     * Moves the sandbox's clock forward, by `advance_seconds` or to a moment, and returns after everything then due has
     * happened, in the order of time. A jump takes 60 seconds at most: one that would take longer ends where it is, as
     * `now` says.
     *
     * `POST /v1/sandbox/time-travel`
     */
    timeTravel(request: TravelTimeRequest, options?: CallOptions): Promise<TravelTimeResponse>;
    readonly clock: {
      /**
       * How far the sandbox's clock is ahead of the real one.
       *
       * `GET /v1/sandbox/clock`
       */
      get(options?: CallOptions): Promise<GetClockResponse>;
    };
    readonly messages: {
      /**
       * The newest hundred mails of the sandbox, or those to one address; newest first. A sandbox sends no mail unless SMTP
       * is configured for it.
       *
       * `GET /v1/sandbox/messages`
       */
      list<const F extends FieldNames<SentMessage> = undefined>(request?: ListMessagesRequest & Choice<F>, options?: CallOptions): Promise<Chosen<ListMessagesResponse, "messages", F>>;
    };
    readonly payments: {
      /**
       * Ends a simulated payment without a browser; of a checkout over several merchants with their operator's test key. One that
       * has ended already: 409 `conflict`.
       *
       * `POST /v1/sandbox/payments/{reference}`
       */
      settle(request: SettleSimulatedRequest, options?: CallOptions): Promise<PaymentState>;
    };
    readonly webhooks: {
      /**
       * Sends an event of the sandbox again, same id and same bytes, to every endpoint that hears of its type now.
       *
       * `POST /v1/sandbox/webhooks/replay`
       */
      replay(request: ReplayEventRequest, options?: CallOptions): Promise<ReplayEventResponse>;
    };
  };
  readonly shipping: {
    readonly config: {
      /**
       * The whole configuration, with the ids of everything in it.
       *
       * `GET /v1/shipping/config`
       */
      get<const F extends FieldNames<ShippingConfig> = undefined>(request?: Choice<F>, options?: CallOptions): Promise<Chosen<ShippingConfig, "", F>>;
      /**
       * Replaces the whole configuration, or leaves it as it was. Ids that are sent back are kept.
       *
       * Zones are tried in order; a `map` zone is a GeoJSON Polygon or MultiPolygon of at most 10,000 vertices.
       *
       * `PUT /v1/shipping/config`
       */
      put(request?: PutConfigRequest, options?: CallOptions): Promise<ShippingConfig>;
    };
    readonly providers: {
      /**
       * Connects an account at a carrier aggregator (`api_key`, and `base_url` if it is not the usual one), or the
       * merchant's own extension (`url`). An extension is called with `{ address_to, parcel, items, order_total, currency
       * }`, signed like a webhook, and answers `{ rates }` within 3 seconds. Only this answer shows an extension's
       * `signing_secret`. Sends `shipping_provider.connected`.
       *
       * `POST /v1/shipping/providers`
       */
      create(request: CreateProviderRequest, options?: CallOptions): Promise<ProviderResponse>;
      /**
       * Disconnects a provider. No rate of it is offered from now on.
       *
       * `DELETE /v1/shipping/providers/{id}`
       */
      delete(request: DeleteProviderRequest, options?: CallOptions): Promise<Deleted>;
      /**
       * Providers, newest first, without keys and secrets.
       *
       * `GET /v1/shipping/providers`
       */
      list<const F extends FieldNames<ConnectedProvider> = undefined>(request?: ListProvidersRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListProvidersResponse, "providers", F>, "providers">;
    };
  };
  readonly staff: {
    /**
     * Removes the account and ends its sessions within a second. The last owner cannot be removed: 409 `conflict`.
     *
     * `DELETE /v1/staff/{id}`
     */
    delete(request: DeleteStaffRequest, options?: CallOptions): Promise<Deleted>;
    /**
     * Owners first, then by address; a store has 200 people at most.
     *
     * `GET /v1/staff`
     */
    list<const F extends FieldNames<StaffMember> = undefined>(request?: Choice<F>, options?: CallOptions): Promise<Chosen<ListStaffResponse, "staff", F>>;
    /**
     * Changes the role or the name. Running sessions have the new role within a second. The last owner cannot get another
     * role: 409 `conflict`.
     *
     * `PATCH /v1/staff/{id}`
     */
    update(request: UpdateStaffRequest, options?: CallOptions): Promise<StaffResponse>;
    readonly invitations: {
      /**
       * Mails a link with which its reader makes an account within seven days. A further invitation of an address replaces
       * the one before. An address that has an account is 409 `conflict`.
       *
       * `POST /v1/staff/invitations`
       */
      create(request: CreateInvitationRequest, options?: CallOptions): Promise<CreateInvitationResponse>;
      /**
       * Revokes an invitation: its link no longer works.
       *
       * `DELETE /v1/staff/invitations/{id}`
       */
      delete(request: DeleteInvitationRequest, options?: CallOptions): Promise<Deleted>;
      /**
       * Open invitations, newest first. Accepted, revoked and expired ones are left out.
       *
       * `GET /v1/staff/invitations`
       */
      list<const F extends FieldNames<StaffInvitation> = undefined>(request?: Choice<F>, options?: CallOptions): Promise<Chosen<ListInvitationsResponse, "invitations", F>>;
    };
  };
  readonly store: {
    /**
     * Changes what the body names. Both environments share all of it except `idp` and `allowed_redirect_origins`, which
     * each has for itself: a test key may change these two alone. A change of name, logo, branding, contact details or
     * base currency sends `store.updated` with `changed_fields`.
     *
     * `PATCH /v1/store`
     */
    update(request?: UpdateStoreRequest, options?: CallOptions): Promise<UpdateStoreResponse>;
    readonly policies: {
      /**
       * Publishes a new version, or saves the draft. A published version never changes; publishing ends the draft.
       *
       * `PUT /v1/store/policies/{type}`
       */
      put(request: PutPolicyRequest, options?: CallOptions): Promise<PutPolicyResponse>;
    };
  };
  readonly storeCredit: {
    /**
     * Grants credit to a customer, to be spent on orders.
     *
     * `POST /v1/store-credit`
     */
    grant(request: GrantStoreCreditRequest, options?: CallOptions): Promise<StoreCreditResponse>;
  };
  readonly taxRates: {
    /**
     * Every rate matches that fits country, state, postcode and category, where it names them. A category's rate replaces
     * the general one of the same name, a subcategory's its category's; equal priorities add; a compound rate is taken on top of what comes before it.
     *
     * `POST /v1/tax-rates`
     */
    create(request: CreateTaxRateRequest, options?: CallOptions): Promise<TaxRateResponse>;
    /**
     * `DELETE /v1/tax-rates/{id}`
     */
    delete(request: DeleteTaxRateRequest, options?: CallOptions): Promise<Deleted>;
    /**
     * Newest first.
     *
     * `GET /v1/tax-rates`
     */
    list<const F extends FieldNames<StoreTaxRate> = undefined>(request?: ListTaxRatesRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListTaxRatesResponse, "tax_rates", F>, "tax_rates">;
    /**
     * Changes what the body names.
     *
     * `PATCH /v1/tax-rates/{id}`
     */
    update(request: UpdateTaxRateRequest, options?: CallOptions): Promise<TaxRateResponse>;
  };
  readonly usage: {
    /**
     * The plan, this month's quota and its use, this request included. Months are UTC. Requests through other edges count
     * within a second.
     *
     * `GET /v1/usage`
     */
    get<const F extends FieldNames<Usage> = undefined>(request?: Choice<F>, options?: CallOptions): Promise<Chosen<GetUsageResponse, "usage", F>>;
  };
  readonly webhookEndpoints: {
    /**
     * Creates an endpoint that receives the named types of events from now on, or all (`*`). Only this answer shows its
     * `signing_secret`; an endpoint of the format `ucp` has none. The URL is https and names a public host.
     *
     * `POST /v1/webhook-endpoints`
     */
    create(request: CreateEndpointRequest, options?: CallOptions): Promise<EndpointResponse>;
    /**
     * Deletes an endpoint and drops its waiting deliveries.
     *
     * `DELETE /v1/webhook-endpoints/{id}`
     */
    delete(request: DeleteEndpointRequest, options?: CallOptions): Promise<Deleted>;
    /**
     * With what became of the deliveries that the log still knows.
     *
     * `GET /v1/webhook-endpoints/{id}`
     */
    get<const F extends FieldNames<WebhookEndpoint> = undefined>(request: GetEndpointRequest & Choice<F>, options?: CallOptions): Promise<Chosen<EndpointResponse, "webhook_endpoint", F>>;
    /**
     * Makes a new `signing_secret`, shown this once. For 24 hours the one before signs as well. An endpoint of the format `ucp`
     * is signed by the store's own key: a new one is published in the store's profile, signs from five minutes later, and the
     * one before stays published for seven days.
     *
     * `POST /v1/webhook-endpoints/{id}/rotate-secret`
     */
    rotateSecret(request: RotateSecretRequest, options?: CallOptions): Promise<EndpointResponse>;
    /**
     * Sends an example of an event to the endpoint, once and now, signed like all deliveries. No log records it.
     *
     * `POST /v1/webhook-endpoints/{id}/test`
     */
    test(request: TestEndpointRequest, options?: CallOptions): Promise<TestEndpointResponse>;
    /**
     * Changes an endpoint. A disabled one receives no event of that time; deliveries that were waiting before keep
     * waiting.
     *
     * `PATCH /v1/webhook-endpoints/{id}`
     */
    update(request: UpdateEndpointRequest, options?: CallOptions): Promise<EndpointResponse>;
  };
  readonly webhookEvents: {
    /**
     * `GET /v1/webhook-events/{id}`
     */
    get<const F extends FieldNames<WebhookEvent> = undefined>(request: GetEventRequest & Choice<F>, options?: CallOptions): Promise<Chosen<EventResponse, "webhook_event", F>>;
    /**
     * Events, newest first. With `follow` instead: events logged or sent again since, oldest first.
     *
     * `GET /v1/webhook-events`
     */
    list<const F extends FieldNames<WebhookEvent> = undefined>(request?: ListEventsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListEventsResponse, "webhook_events", F>, "webhook_events">;
    /**
     * Retries every unsuccessful delivery of the event now, and restarts its schedule. Successful deliveries are not
     * repeated.
     *
     * `POST /v1/webhook-events/{id}/retry`
     */
    retry(request: RetryEventRequest, options?: CallOptions): Promise<EventResponse>;
  };
}

export const agent: ClientResource<ServerResources['agent']> = {
  routes: {
    checkoutIntents: {
      list: "GET /v1/agent/checkout-intents - data",
    },
  },
};

export const auditLog: ClientResource<ServerResources['auditLog']> = {
  routes: {
    list: "GET /v1/audit-log - audit_log",
  },
};

export const auth: ClientResource<ServerResources['auth']> = {
  routes: {
    login: "POST /v1/auth/login o - device=x-shopper-user-agent",
    logout: "POST /v1/auth/logout co",
    refresh: "POST /v1/auth/refresh o - device=x-shopper-user-agent",
    register: "POST /v1/auth/register o - device=x-shopper-user-agent",
    sendOtp: "POST /v1/auth/send-otp o",
    updatePassword: "POST /v1/auth/update-password co",
    verifyOtp: "POST /v1/auth/verify-otp o - session_token=x-auth-token device=x-shopper-user-agent",
    magicLink: {
      send: "POST /v1/auth/magic-link o",
      verify: "POST /v1/auth/magic-link/verify o - session_token=x-auth-token device=x-shopper-user-agent",
    },
    me: {
      get: "GET /v1/auth/me c",
    },
    resetPassword: {
      confirm: "POST /v1/auth/reset-password/confirm o",
      request: "POST /v1/auth/reset-password o",
    },
  },
};

export const b2b: ClientResource<ServerResources['b2b']> = {
  routes: {
    invoices: {
      create: "POST /v1/b2b/invoices",
      pay: "POST /v1/b2b/invoices/{id}/pay",
      void: "POST /v1/b2b/invoices/{id}/void q",
    },
    purchaseOrders: {
      confirm: "POST /v1/b2b/purchase-orders/{id}/confirm q",
      fulfill: "POST /v1/b2b/purchase-orders/{id}/fulfill",
    },
    quotes: {
      create: "POST /v1/b2b/quotes",
    },
  },
};

export const blog: ClientResource<ServerResources['blog']> = {
  routes: {
    posts: {
      create: "POST /v1/blog/posts",
      delete: "DELETE /v1/blog/posts/{id}",
      update: "PATCH /v1/blog/posts/{id}",
    },
  },
};

export const categories: ClientResource<ServerResources['categories']> = {
  routes: {
    create: "POST /v1/categories",
    delete: "DELETE /v1/categories/{id}",
    update: "PATCH /v1/categories/{id}",
  },
};

export const channels: ClientResource<ServerResources['channels']> = {
  routes: {
    create: "POST /v1/channels",
    delete: "DELETE /v1/channels/{id}",
    get: "GET /v1/channels/{id}",
    list: "GET /v1/channels - channels",
    sync: "POST /v1/channels/{id}/sync q",
    update: "PATCH /v1/channels/{id}",
    rejections: {
      list: "GET /v1/channels/{id}/rejections - rejections",
    },
  },
};

export const connect: ClientResource<ServerResources['connect']> = {
  routes: {
    grants: {
      delete: "DELETE /v1/connect/grants/{id}",
      list: "GET /v1/connect/grants - grants",
    },
    sessions: {
      create: "POST /v1/connect/sessions",
      list: "GET /v1/connect/sessions - sessions",
    },
  },
};

export const console: ClientResource<ServerResources['console']> = {
  routes: {
    activity: {
      get: "GET /v1/console/activity",
    },
    requests: {
      get: "GET /v1/console/requests/{request_id}",
    },
  },
};

export const content: ClientResource<ServerResources['content']> = {
  routes: {
    analytics: {
      get: "GET /v1/content/analytics",
    },
  },
};

export const customers: ClientResource<ServerResources['customers']> = {
  routes: {
    create: "POST /v1/customers",
    delete: "DELETE /v1/customers/{id}",
    erase: "POST /v1/customers/{id}/erase",
    getErasure: "GET /v1/customers/{id}/erasure",
    list: "GET /v1/customers - customers",
    setGroup: "PUT /v1/customers/{id}/group",
    sessions: {
      delete: "DELETE /v1/customers/{id}/sessions/{session_id}",
      end: "DELETE /v1/customers/{id}/sessions",
      list: "GET /v1/customers/{id}/sessions - sessions",
    },
  },
};

export const disputes: ClientResource<ServerResources['disputes']> = {
  routes: {
    update: "PATCH /v1/disputes/{id}",
  },
};

export const exchangeRates: ClientResource<ServerResources['exchangeRates']> = {
  routes: {
    delete: "DELETE /v1/exchange-rates/{currency}",
    list: "GET /v1/exchange-rates",
    put: "PUT /v1/exchange-rates/{currency}",
  },
};

export const giftCards: ClientResource<ServerResources['giftCards']> = {
  routes: {
    create: "POST /v1/gift-cards",
    update: "PATCH /v1/gift-cards/{id}",
    issued: {
      list: "GET /v1/gift-cards/issued - gift_cards",
    },
  },
};

export const ingestion: ClientResource<ServerResources['ingestion']> = {
  routes: {
    push: "POST /v1/ingestion/push s",
    feeds: {
      create: "POST /v1/ingestion/feeds",
      delete: "DELETE /v1/ingestion/feeds/{id}",
      list: "GET /v1/ingestion/feeds - feeds",
      sync: "POST /v1/ingestion/feeds/{id}/sync q",
      update: "PATCH /v1/ingestion/feeds/{id}",
    },
    jobs: {
      get: "GET /v1/ingestion/jobs/{id}",
      list: "GET /v1/ingestion/jobs - jobs",
    },
  },
};

export const inventory: ClientResource<ServerResources['inventory']> = {
  routes: {
    adjust: "POST /v1/inventory/adjustments",
    get: "GET /v1/inventory/{variant_id}",
    list: "GET /v1/inventory - inventory",
    adjustments: {
      list: "GET /v1/inventory/{variant_id}/adjustments - adjustments",
    },
    holds: {
      list: "GET /v1/inventory/{variant_id}/holds - holds",
    },
  },
};

export const keys: ClientResource<ServerResources['keys']> = {
  routes: {
    create: "POST /v1/keys s",
    delete: "DELETE /v1/keys/{id}",
    list: "GET /v1/keys - keys",
    roll: "POST /v1/keys/{id}/roll s",
    update: "PATCH /v1/keys/{id}",
  },
};

export const lookbooks: ClientResource<ServerResources['lookbooks']> = {
  routes: {
    create: "POST /v1/lookbooks",
    delete: "DELETE /v1/lookbooks/{id}",
    update: "PATCH /v1/lookbooks/{id}",
  },
};

export const mailSuppressions: ClientResource<ServerResources['mailSuppressions']> = {
  routes: {
    delete: "DELETE /v1/mail-suppressions/{id}",
    list: "GET /v1/mail-suppressions - mail_suppressions",
    bounceAddress: {
      create: "POST /v1/mail-suppressions/bounce-address",
    },
  },
};

export const mailTemplates: ClientResource<ServerResources['mailTemplates']> = {
  routes: {
    delete: "DELETE /v1/mail-templates/{kind}",
    get: "GET /v1/mail-templates/{kind}",
    list: "GET /v1/mail-templates",
    preview: "POST /v1/mail-templates/{kind}/preview r",
    put: "PUT /v1/mail-templates/{kind}",
  },
};

export const media: ClientResource<ServerResources['media']> = {
  routes: {
    delete: "DELETE /v1/media/{id}",
    get: "GET /v1/media/{id}",
    list: "GET /v1/media - media",
    upload: "POST /v1/media lf",
  },
};

export const messaging: ClientResource<ServerResources['messaging']> = {
  routes: {
    threads: {
      update: "PATCH /v1/messaging/threads/{id}",
    },
  },
};

export const orders: ClientResource<ServerResources['orders']> = {
  routes: {
    create: "POST /v1/orders s",
    get: "GET /v1/orders/{id}",
    list: "GET /v1/orders - orders",
    update: "PATCH /v1/orders/{id} s",
    refunds: {
      create: "POST /v1/orders/{id}/refunds",
    },
    shipments: {
      create: "POST /v1/orders/{id}/shipments",
    },
  },
};

export const payments: ClientResource<ServerResources['payments']> = {
  routes: {
    capture: "POST /v1/payments/{reference}/capture s",
    initialize: "POST /v1/payments/initialize s",
    list: "GET /v1/payments - payments",
    verify: "POST /v1/payments/verify",
    void: "POST /v1/payments/{reference}/void s",
    providers: {
      connect: "POST /v1/payments/providers",
      disconnect: "DELETE /v1/payments/providers/{id}",
      list: "GET /v1/payments/providers - providers",
    },
  },
};

export const priceLists: ClientResource<ServerResources['priceLists']> = {
  routes: {
    create: "POST /v1/price-lists",
    delete: "DELETE /v1/price-lists/{id}",
    get: "GET /v1/price-lists/{id}",
    list: "GET /v1/price-lists - price_lists",
    update: "PATCH /v1/price-lists/{id}",
  },
};

export const productCollections: ClientResource<ServerResources['productCollections']> = {
  routes: {
    create: "POST /v1/product-collections",
    delete: "DELETE /v1/product-collections/{id}",
    update: "PATCH /v1/product-collections/{id}",
    products: {
      set: "PUT /v1/product-collections/{id}/products",
    },
  },
};

export const products: ClientResource<ServerResources['products']> = {
  routes: {
    create: "POST /v1/products",
    delete: "DELETE /v1/products/{id}",
    update: "PATCH /v1/products/{id}",
    variants: {
      create: "POST /v1/products/{id}/variants",
      delete: "DELETE /v1/products/{id}/variants/{variant_id}",
      update: "PATCH /v1/products/{id}/variants/{variant_id}",
    },
  },
};

export const promotions: ClientResource<ServerResources['promotions']> = {
  routes: {
    create: "POST /v1/promotions",
    delete: "DELETE /v1/promotions/{id}",
    update: "PATCH /v1/promotions/{id}",
  },
};

export const recommend: ClientResource<ServerResources['recommend']> = {
  routes: "POST /v1/recommendations r",
};

export const reports: ClientResource<ServerResources['reports']> = {
  routes: {
    funnel: {
      get: "GET /v1/reports/funnel",
    },
    sales: {
      get: "GET /v1/reports/sales",
    },
  },
};

export const returns: ClientResource<ServerResources['returns']> = {
  routes: {
    update: "PATCH /v1/returns/{id}",
  },
};

export const reviews: ClientResource<ServerResources['reviews']> = {
  routes: {
    moderate: "PATCH /v1/reviews/{id}",
  },
};

export const sandbox: ClientResource<ServerResources['sandbox']> = {
  routes: {
    reset: "POST /v1/sandbox/reset l",
    timeTravel: "POST /v1/sandbox/time-travel l",
    clock: {
      get: "GET /v1/sandbox/clock",
    },
    messages: {
      list: "GET /v1/sandbox/messages",
    },
    payments: {
      settle: "POST /v1/sandbox/payments/{reference}",
    },
    webhooks: {
      replay: "POST /v1/sandbox/webhooks/replay",
    },
  },
};

export const shipping: ClientResource<ServerResources['shipping']> = {
  routes: {
    config: {
      get: "GET /v1/shipping/config",
      put: "PUT /v1/shipping/config",
    },
    providers: {
      create: "POST /v1/shipping/providers",
      delete: "DELETE /v1/shipping/providers/{id}",
      list: "GET /v1/shipping/providers - providers",
    },
  },
};

export const staff: ClientResource<ServerResources['staff']> = {
  routes: {
    delete: "DELETE /v1/staff/{id}",
    list: "GET /v1/staff",
    update: "PATCH /v1/staff/{id}",
    invitations: {
      create: "POST /v1/staff/invitations",
      delete: "DELETE /v1/staff/invitations/{id}",
      list: "GET /v1/staff/invitations",
    },
  },
};

export const store: ClientResource<ServerResources['store']> = {
  routes: {
    update: "PATCH /v1/store",
    policies: {
      put: "PUT /v1/store/policies/{type}",
    },
  },
};

export const storeCredit: ClientResource<ServerResources['storeCredit']> = {
  routes: {
    grant: "POST /v1/store-credit",
  },
};

export const taxRates: ClientResource<ServerResources['taxRates']> = {
  routes: {
    create: "POST /v1/tax-rates",
    delete: "DELETE /v1/tax-rates/{id}",
    list: "GET /v1/tax-rates - tax_rates",
    update: "PATCH /v1/tax-rates/{id}",
  },
};

export const usage: ClientResource<ServerResources['usage']> = {
  routes: {
    get: "GET /v1/usage",
  },
};

export const webhookEndpoints: ClientResource<ServerResources['webhookEndpoints']> = {
  routes: {
    create: "POST /v1/webhook-endpoints",
    delete: "DELETE /v1/webhook-endpoints/{id}",
    get: "GET /v1/webhook-endpoints/{id}",
    rotateSecret: "POST /v1/webhook-endpoints/{id}/rotate-secret",
    test: "POST /v1/webhook-endpoints/{id}/test",
    update: "PATCH /v1/webhook-endpoints/{id}",
  },
};

export const webhookEvents: ClientResource<ServerResources['webhookEvents']> = {
  routes: {
    get: "GET /v1/webhook-events/{id}",
    list: "GET /v1/webhook-events - webhook_events",
    retry: "POST /v1/webhook-events/{id}/retry",
  },
};

export const serverResources = {
  agent,
  auditLog,
  auth,
  b2b,
  blog,
  categories,
  channels,
  connect,
  console,
  content,
  customers,
  disputes,
  exchangeRates,
  giftCards,
  ingestion,
  inventory,
  keys,
  lookbooks,
  mailSuppressions,
  mailTemplates,
  media,
  messaging,
  orders,
  payments,
  priceLists,
  productCollections,
  products,
  promotions,
  recommend,
  reports,
  returns,
  reviews,
  sandbox,
  shipping,
  staff,
  store,
  storeCredit,
  taxRates,
  usage,
  webhookEndpoints,
  webhookEvents,
};
