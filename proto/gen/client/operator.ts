// Generated from stoa/v1/*.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { CallOptions, Choice, Chosen, FieldNames, Listing } from '#proto/client/method.ts';
import type { ClientResource } from '#proto/client/resource.ts';
import type { AuditRecord, CheckoutGroup, CheckoutResponse, ConnectPaymentProviderRequest, CreateInvitationRequest, CreateInvitationResponse, DeleteInvitationRequest, DeleteSectionRequest, DeleteStaffRequest, Deleted, DisconnectPaymentProviderRequest, FoundProduct, GetCheckoutRequest, GetMarketplaceMerchantRequest, GetSectionRequest, GetShopperRequest, InitializePaymentResponse, ListAuditLogRequest, ListAuditLogResponse, ListCheckoutPaymentsRequest, ListCheckoutsRequest, ListCheckoutsResponse, ListInvitationsResponse, ListMarketplaceMerchantsRequest, ListMarketplaceMerchantsResponse, ListPaymentProvidersRequest, ListPaymentProvidersResponse, ListPaymentsResponse, ListProductsRequest, ListProductsResponse, ListSectionsRequest, ListSectionsResponse, ListStaffResponse, ListedPayment, ListedProduct, MarketplaceMerchant, MarketplaceMerchantResponse, PayCheckoutRequest, PaymentProvider, PaymentProviderResponse, PaymentState, PlaceCheckoutRequest, PutSectionRequest, RecommendRequest, RecommendResponse, SearchProductsRequest, SearchProductsResponse, Section, SectionDeleted, SectionResponse, SettleSimulatedRequest, Shopper, ShopperResponse, StaffInvitation, StaffMember, StaffResponse, UpdateMarketplaceMerchantRequest, UpdateStaffRequest } from './message.ts';

export interface OperatorResources {
  readonly auditLog: {
    /**
     * Records of writes in the key's environment, newest first: by keys, staff, apps and operators. Shoppers' own writes are not
     * among them.
     *
     * `GET /v1/audit-log`
     */
    list<const F extends FieldNames<AuditRecord> = undefined>(request?: ListAuditLogRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListAuditLogResponse, "audit_log", F>, "audit_log">;
  };
  readonly cart: {
    readonly checkout: {
      /**
       * The group as its orders stand now.
       *
       * `GET /v1/cart/checkout/{group_id}`
       */
      get<const F extends FieldNames<CheckoutGroup> = undefined>(request: GetCheckoutRequest & Choice<F>, options?: CallOptions): Promise<Chosen<CheckoutResponse, "checkout", F>>;
      /**
       * Newest first, each as its orders stand now.
       *
       * `GET /v1/cart/checkout`
       */
      list<const F extends FieldNames<CheckoutGroup> = undefined>(request?: ListCheckoutsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListCheckoutsResponse, "checkouts", F>, "checkouts">;
      /**
       * Starts one payment of the whole amount due of a group. The payment's success pays every order: each merchant's
       * ledger and event log get their own share of it, and a refund of one order goes back through it. A second payment
       * cancels the first, if the provider supports that.
       *
       * `POST /v1/cart/checkout/{group_id}/pay`
       */
      pay(request: PayCheckoutRequest, options?: CallOptions): Promise<InitializePaymentResponse>;
      /**
       * Places an order at each merchant that a line names, all of them in one transaction or none. Each order counts its own
       * shipping, tax and promotions, takes its own stock and number, and sends its own `order.created`. All merchants sell in
       * one currency, else 400. A promotion code is accepted where it applies at one merchant.
       *
       * `POST /v1/cart/checkout`
       */
      place(request: PlaceCheckoutRequest, options?: CallOptions): Promise<CheckoutResponse>;
      readonly payments: {
        /**
         * Payments of a group, the newest first: each is of the whole amount that was due then.
         *
         * `GET /v1/cart/checkout/{group_id}/payments`
         */
        list<const F extends FieldNames<ListedPayment> = undefined>(request: ListCheckoutPaymentsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListPaymentsResponse, "payments", F>, "payments">;
      };
    };
  };
  readonly marketplace: {
    readonly collections: {
      /**
       * `DELETE /v1/marketplace/collections/{slug}`
       */
      delete(request: DeleteSectionRequest, options?: CallOptions): Promise<SectionDeleted>;
      /**
       * The section with its present members; deleted and inactive ones are left out.
       *
       * `GET /v1/marketplace/collections/{slug}`
       */
      get<const F extends FieldNames<Section> = undefined>(request: GetSectionRequest & Choice<F>, options?: CallOptions): Promise<Chosen<SectionResponse, "collection", F>>;
      /**
       * Sections by slug.
       *
       * `GET /v1/marketplace/collections`
       */
      list<const F extends FieldNames<Section> = undefined>(request?: ListSectionsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListSectionsResponse, "collections", F>, "collections">;
      /**
       * Makes the section, or writes all of it anew. A member of a store that is not the operator's: 404.
       *
       * `PUT /v1/marketplace/collections/{slug}`
       */
      put(request: PutSectionRequest, options?: CallOptions): Promise<SectionResponse>;
    };
    readonly merchants: {
      /**
       * `GET /v1/marketplace/merchants/{store_id}`
       */
      get<const F extends FieldNames<MarketplaceMerchant> = undefined>(request: GetMarketplaceMerchantRequest & Choice<F>, options?: CallOptions): Promise<Chosen<MarketplaceMerchantResponse, "merchant", F>>;
      /**
       * Merchants by code, suspended ones too.
       *
       * `GET /v1/marketplace/merchants`
       */
      list<const F extends FieldNames<MarketplaceMerchant> = undefined>(request?: ListMarketplaceMerchantsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListMarketplaceMerchantsResponse, "merchants", F>, "merchants">;
      /**
       * Suspends a merchant, or ends that. The marketplace sells nothing of a suspended merchant: its products, sections and
       * recommendations are gone within a second, and a checkout that names it is 404. Orders that were placed before are paid,
       * sent and refunded. The store itself sells on.
       *
       * `PATCH /v1/marketplace/merchants/{store_id}`
       */
      update(request: UpdateMarketplaceMerchantRequest, options?: CallOptions): Promise<MarketplaceMerchantResponse>;
    };
    readonly paymentProviders: {
      /**
       * Connects the operator's own account, by which groups are paid; the test key needs none. Connecting a provider again
       * replaces its credentials.
       *
       * `POST /v1/marketplace/payment-providers`
       */
      connect(request: ConnectPaymentProviderRequest, options?: CallOptions): Promise<PaymentProviderResponse>;
      /**
       * Disconnects a provider: no new payment can be started with it. Callbacks still settle payments that were started
       * before.
       *
       * `DELETE /v1/marketplace/payment-providers/{id}`
       */
      disconnect(request: DisconnectPaymentProviderRequest, options?: CallOptions): Promise<Deleted>;
      /**
       * The operator's connected providers, the first one first. Credentials never come back.
       *
       * `GET /v1/marketplace/payment-providers`
       */
      list<const F extends FieldNames<PaymentProvider> = undefined>(request?: ListPaymentProvidersRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListPaymentProvidersResponse, "providers", F>, "providers">;
    };
    readonly shopper: {
      /**
       * One shopper's profile over all of the operator's merchants. The profile joins the accounts whose e-mail address is
       * proved: by a magic link, a one-time code or the store's own identity provider. An account with an unproved address
       * is shown alone.
       *
       * `GET /v1/marketplace/shopper`
       */
      get<const F extends FieldNames<Shopper> = undefined>(request?: GetShopperRequest & Choice<F>, options?: CallOptions): Promise<Chosen<ShopperResponse, "shopper", F>>;
    };
  };
  readonly products: {
    /**
     * The list shape: flat, with the default variant's data, without `variants`. An operator's key lists the products of
     * the merchant that `store_id` names, or those of all of its merchants.
     *
     * `GET /v1/products`
     */
    list<const F extends FieldNames<ListedProduct> = undefined>(request?: ListProductsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListProductsResponse, "products", F>, "products">;
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
  readonly sandbox: {
    readonly payments: {
      /**
       * Ends a simulated payment without a browser; of a checkout over several merchants with their operator's test key. One that
       * has ended already: 409 `conflict`.
       *
       * `POST /v1/sandbox/payments/{reference}`
       */
      settle(request: SettleSimulatedRequest, options?: CallOptions): Promise<PaymentState>;
    };
  };
  /**
   * Finds products. The last word of the query also matches as a beginning; a word that no product has is corrected by
   * one edit. An empty query finds everything that passes the filters. Facet counts are exact, and each facet ignores
   * its own filter. An operator's key searches the merchant that `store_id` names, or all of its merchants in one ranking.
   *
   * `POST /v1/search`
   */
  search<const F extends FieldNames<FoundProduct> = undefined>(request?: SearchProductsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<SearchProductsResponse, "products", F>, "products">;
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
}

export const auditLog: ClientResource<OperatorResources['auditLog']> = {
  routes: {
    list: "GET /v1/audit-log - audit_log",
  },
};

export const cart: ClientResource<OperatorResources['cart']> = {
  routes: {
    checkout: {
      get: "GET /v1/cart/checkout/{group_id}",
      list: "GET /v1/cart/checkout - checkouts",
      pay: "POST /v1/cart/checkout/{group_id}/pay",
      place: "POST /v1/cart/checkout - - customer_token=x-customer-token",
      payments: {
        list: "GET /v1/cart/checkout/{group_id}/payments - payments",
      },
    },
  },
};

export const marketplace: ClientResource<OperatorResources['marketplace']> = {
  routes: {
    collections: {
      delete: "DELETE /v1/marketplace/collections/{slug}",
      get: "GET /v1/marketplace/collections/{slug}",
      list: "GET /v1/marketplace/collections - collections",
      put: "PUT /v1/marketplace/collections/{slug}",
    },
    merchants: {
      get: "GET /v1/marketplace/merchants/{store_id}",
      list: "GET /v1/marketplace/merchants - merchants",
      update: "PATCH /v1/marketplace/merchants/{store_id}",
    },
    paymentProviders: {
      connect: "POST /v1/marketplace/payment-providers",
      disconnect: "DELETE /v1/marketplace/payment-providers/{id}",
      list: "GET /v1/marketplace/payment-providers - providers",
    },
    shopper: {
      get: "GET /v1/marketplace/shopper - - customer_token=x-customer-token",
    },
  },
};

export const products: ClientResource<OperatorResources['products']> = {
  routes: {
    list: "GET /v1/products - products",
  },
};

export const recommend: ClientResource<OperatorResources['recommend']> = {
  routes: "POST /v1/recommendations r",
};

export const sandbox: ClientResource<OperatorResources['sandbox']> = {
  routes: {
    payments: {
      settle: "POST /v1/sandbox/payments/{reference}",
    },
  },
};

export const search: ClientResource<OperatorResources['search']> = {
  routes: "POST /v1/search r products",
};

export const staff: ClientResource<OperatorResources['staff']> = {
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

export const operatorResources = {
  auditLog,
  cart,
  marketplace,
  products,
  recommend,
  sandbox,
  search,
  staff,
};
