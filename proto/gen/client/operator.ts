// Generated from stoa/v1/*.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { CallOptions, Choice, Chosen, FieldNames, Listing } from '#proto/client/method.ts';
import type { ClientResource } from '#proto/client/resource.ts';
import type { CheckoutGroup, CheckoutResponse, ConnectPaymentProviderRequest, DeleteSectionRequest, Deleted, DisconnectPaymentProviderRequest, GetCheckoutRequest, GetSectionRequest, GetShopperRequest, InitializePaymentResponse, ListCheckoutsRequest, ListCheckoutsResponse, ListPaymentProvidersRequest, ListPaymentProvidersResponse, ListSectionsRequest, ListSectionsResponse, PayCheckoutRequest, PaymentProvider, PaymentProviderResponse, PaymentStanding, PlaceCheckoutRequest, PutSectionRequest, RecommendRequest, RecommendResponse, Section, SectionDeleted, SectionResponse, SettleSimulatedRequest, Shopper, ShopperResponse } from './message.ts';

export interface OperatorResources {
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
       * Begins one payment of all that is left to pay of a group. Its success pays every order: each merchant's books and log
       * have their own share of it, and a refund of one order goes back through it. Beginning another payment ends the one
       * before, where the provider allows it.
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
    };
  };
  readonly marketplace: {
    readonly collections: {
      /**
       * `DELETE /v1/marketplace/collections/{slug}`
       */
      delete(request: DeleteSectionRequest, options?: CallOptions): Promise<SectionDeleted>;
      /**
       * Its members as they are at this moment: what is gone or inactive is left out.
       *
       * `GET /v1/marketplace/collections/{slug}`
       */
      get<const F extends FieldNames<Section> = undefined>(request: GetSectionRequest & Choice<F>, options?: CallOptions): Promise<Chosen<SectionResponse, "collection", F>>;
      /**
       * By slug.
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
    readonly paymentProviders: {
      /**
       * Connects the operator's own account, by which groups are paid; the test key needs none. Connecting a provider again
       * replaces its credentials.
       *
       * `POST /v1/marketplace/payment-providers`
       */
      connect(request: ConnectPaymentProviderRequest, options?: CallOptions): Promise<PaymentProviderResponse>;
      /**
       * Nothing new is begun with it. What was begun is still settled by its callbacks.
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
       * Who a shopper is over all of the operator's merchants. Their accounts are joined by an e-mail address that each of them
       * has proved, by a magic link, a one-time code or the word of the store's own identity provider; an account whose address
       * is not proved shows itself alone.
       *
       * `GET /v1/marketplace/shopper`
       */
      get<const F extends FieldNames<Shopper> = undefined>(request?: GetShopperRequest & Choice<F>, options?: CallOptions): Promise<Chosen<ShopperResponse, "shopper", F>>;
    };
  };
  /**
   * Products that a shopper may want. `next_likely`: what others met in the same session, by views, carts and orders;
   * until some pair of products was seen in five sessions, and where that is not enough, similar and trending ones.
   * `similar`: what is like a product, by what is written of both. `trending`: what was met most in the last week. With an
   * operator's key: of the merchant that `store_id` names, and without it of all of its merchants.
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
      settle(request: SettleSimulatedRequest, options?: CallOptions): Promise<PaymentStanding>;
    };
  };
}

export const cart: ClientResource<OperatorResources['cart']> = {
  routes: {
    checkout: {
      get: "GET /v1/cart/checkout/{group_id}",
      list: "GET /v1/cart/checkout - checkouts",
      pay: "POST /v1/cart/checkout/{group_id}/pay",
      place: "POST /v1/cart/checkout - - customer_token=x-customer-token",
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

export const operatorResources = {
  cart,
  marketplace,
  recommend,
  sandbox,
};
