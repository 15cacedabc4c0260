// Generated from stoa/v1/*.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { CallOptions, Choice, Chosen, FieldNames } from '#proto/client/method.ts';
import type { ClientResource } from '#proto/client/resource.ts';
import type { AcceptInvitationRequest, BeginStaffSessionRequest, BeginTotpResponse, ChangeStaffPasswordRequest, ConfirmTotpRequest, ConfirmTotpResponse, DeleteStaffSessionRequest, DeleteTotpRequest, Deleted, ListStaffSessionsRequest, ListStaffSessionsResponse, SendStaffLinkRequest, SignedInDevice, StaffLinkAccepted, StaffResponse, StaffSignedIn } from './message.ts';

export interface StaffSessionResources {
  readonly staff: {
    readonly invitations: {
      /**
       * Makes the account that an invitation offers, and signs in.
       *
       * `POST /v1/staff/invitations/accept`
       */
      accept(request: AcceptInvitationRequest, options?: CallOptions): Promise<StaffSignedIn>;
    };
    readonly session: {
      /**
       * Signs in with address and password, or with the token of a mailed link. An account with a second factor needs
       * `totp` or `recovery_code`, too; without one the answer is 401 with `param: "totp"`. A session ends after 12 hours
       * without a request, and 30 days after it began. After ten failed sign-ins of an address in 15 minutes, one a minute is checked.
       *
       * `POST /v1/staff/session`
       */
      begin(request: BeginStaffSessionRequest, options?: CallOptions): Promise<StaffSignedIn>;
      /**
       * Signs out.
       *
       * `DELETE /v1/staff/session`
       */
      end(options?: CallOptions): Promise<Deleted>;
      /**
       * Reads the account that is signed in, and its store or marketplace operator.
       *
       * `GET /v1/staff/session`
       */
      get(options?: CallOptions): Promise<StaffSignedIn>;
      readonly link: {
        /**
         * Mails a link that signs its reader in once, within 15 minutes. An address without an account is answered alike, and
         * no mail is sent.
         *
         * `POST /v1/staff/session/link`
         */
        create(request: SendStaffLinkRequest, options?: CallOptions): Promise<StaffLinkAccepted>;
      };
      readonly password: {
        /**
         * Changes the password and ends the account's other sessions. A session that began with a mailed link needs no
         * `current_password`.
         *
         * `POST /v1/staff/session/password`
         */
        change(request: ChangeStaffPasswordRequest, options?: CallOptions): Promise<StaffResponse>;
      };
      readonly totp: {
        /**
         * Turns the second factor on with a code of the authenticator app. The ten recovery codes are shown this once; each
         * stands in for a code once.
         *
         * `POST /v1/staff/session/totp/confirm`
         */
        confirm(request: ConfirmTotpRequest, options?: CallOptions): Promise<ConfirmTotpResponse>;
        /**
         * Makes a secret for an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds). The secret counts
         * after its confirmation. An account that has a second factor is 409 `conflict`.
         *
         * `POST /v1/staff/session/totp`
         */
        create(options?: CallOptions): Promise<BeginTotpResponse>;
        /**
         * Turns the second factor off with a code of the authenticator app, or a recovery code.
         *
         * `DELETE /v1/staff/session/totp`
         */
        delete(request: DeleteTotpRequest, options?: CallOptions): Promise<StaffResponse>;
      };
    };
    readonly sessions: {
      /**
       * Ends a session of the caller's; an owner ends any of the store's.
       *
       * `DELETE /v1/staff/sessions/{id}`
       */
      delete(request: DeleteStaffSessionRequest, options?: CallOptions): Promise<Deleted>;
      /**
       * Sessions that are signed in, the last used first: the caller's own, or those of `staff_id`, which an owner may name.
       *
       * `GET /v1/staff/sessions`
       */
      list<const F extends FieldNames<SignedInDevice> = undefined>(request?: ListStaffSessionsRequest & Choice<F>, options?: CallOptions): Promise<Chosen<ListStaffSessionsResponse, "sessions", F>>;
    };
  };
}

export const staff: ClientResource<StaffSessionResources['staff']> = {
  routes: {
    invitations: {
      accept: "POST /v1/staff/invitations/accept ko",
    },
    session: {
      begin: "POST /v1/staff/session ko",
      end: "DELETE /v1/staff/session",
      get: "GET /v1/staff/session",
      link: {
        create: "POST /v1/staff/session/link ko",
      },
      password: {
        change: "POST /v1/staff/session/password o",
      },
      totp: {
        confirm: "POST /v1/staff/session/totp/confirm o",
        create: "POST /v1/staff/session/totp o",
        delete: "DELETE /v1/staff/session/totp o",
      },
    },
    sessions: {
      delete: "DELETE /v1/staff/sessions/{id}",
      list: "GET /v1/staff/sessions",
    },
  },
};

export const staffSessionResources = {
  staff,
};
