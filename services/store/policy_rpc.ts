// Handlers of policies: merchants read, draft and publish them, with their translations.
import type { Policy, StoreRpcs } from '#proto/gen/store.ts';
import { notFound, Refusal, refuse } from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { languageOf, replaceTranslations } from '#services/commerce/translation.ts';
import { type AnswerLanguage, EVERY_LANGUAGE, inLanguage } from '#values/translation.ts';
import { languagesOf } from './language.ts';
import {
  findDraft,
  findPublished,
  listNewestPublished,
  publish,
  type StoredPolicy,
  saveDraft,
} from './table/policy.ts';
import { findStore } from './table/store.ts';

const policyIn = ({ policy, translations }: StoredPolicy, language: AnswerLanguage): Policy =>
  inLanguage(policy, translations, language);

export const policyHandlers = (
  clock: Clock,
): Pick<Handlers<StoreRpcs>, 'ListPolicies' | 'GetPolicy' | 'PutPolicy'> => ({
  ListPolicies: query(async (sql, call, input) => {
    const found = await listNewestPublished(sql, call.tenant.store);
    return { policies: found.map((policy) => policyIn(policy, languageOf(call, input))) };
  }),

  GetPolicy: query(async (sql, call, { type, version, draft, ...view }) => {
    if (draft && version !== undefined) {
      return refuse('invalid_request', `A draft has no version. Send either draft or version ${version}, not both.`, {
        param: 'version',
      });
    }
    // Drafts are invisible to a publishable key.
    if (draft && call.keyType === 'publishable') return notFound('policy');
    const { store } = call.tenant;
    const policy = draft ? await findDraft(sql, store, type) : await findPublished(sql, store, type, version);
    return policy === null ? notFound('policy') : { policy: policyIn(policy, languageOf(call, view)) };
  }),

  PutPolicy: transaction(async ({ sql }, call, { type, title, body, translations: given, publish: published }) => {
    const { store } = call.tenant;
    const known = given && (await findStore(sql, store));
    const before = given && ((await findDraft(sql, store, type)) ?? (await findPublished(sql, store, type)));
    const languages = known ? languagesOf(known) : [];
    const translations = replaceTranslations(before?.translations ?? null, given, languages);
    if (translations instanceof Refusal) return translations;
    const write = published ? publish : saveDraft;
    const written = await write(sql, store, { type, title, body, translations }, clock.now(call.tenant));
    return { policy: policyIn(written, EVERY_LANGUAGE) };
  }),
});
