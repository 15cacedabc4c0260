// Generated from stoa/v1/mail_template.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';

export const MailVariable: TSchema = Type.Object({
  name: Type.String(),
  example: Type.String(),
});

export const MailTemplateTranslation: TSchema = Type.Object({
  subject: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 500 }), Type.Null()])),
  html: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 60000 }), Type.Null()])),
  text: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 30000 }), Type.Null()])),
});

export const MailTemplateTranslationInput: TSchema = Type.Object({
  subject: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 500 }), Type.Null()])),
  html: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 60000 }), Type.Null()])),
  text: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 30000 }), Type.Null()])),
});

export const MailTemplateSource: TSchema = Type.Object({
  kind: Type.String(),
  language: Type.Union([Type.String(), Type.Null()]),
  subject: Type.String(),
  html: Type.String(),
  text: Type.String(),
  enabled: Type.Boolean(),
  changed: Type.Boolean(),
  editable: Type.Boolean(),
  marketing: Type.Boolean(),
  languages: Type.Array(Type.String()),
  variables: Type.Array(MailVariable),
  translations: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,}$" }), MailTemplateTranslation, { additionalProperties: false })),
  built_in_languages: Type.Array(Type.String()),
  updated_at: Text({ format: "date-time" }),
});

export const ListMailTemplatesRequest: TSchema = Type.Object({
  fields: Type.Optional(Type.String()),
});

export const ListMailTemplatesResponse: TSchema = Type.Object({
  mail_templates: Type.Array(MailTemplateSource),
});

export const MailTemplateResponse: TSchema = Type.Object({
  mail_template: MailTemplateSource,
});

export const GetMailTemplateRequest: TSchema = Type.Object({
  kind: Text({ minLength: 1, maxLength: 40 }),
  language: Type.Optional(Text({ pattern: "^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$" })),
  fields: Type.Optional(Type.String()),
});

export const PutMailTemplateRequest: TSchema = Type.Object({
  kind: Text({ minLength: 1, maxLength: 40 }),
  language: Type.Optional(Type.Union([Text({ pattern: "^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$" }), Type.Null()])),
  subject: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 500 }), Type.Null()])),
  html: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 60000 }), Type.Null()])),
  text: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 30000 }), Type.Null()])),
  enabled: Type.Optional(Type.Boolean()),
  translations: Type.Optional(Type.Union([Type.Record(Type.String({ pattern: "^[\\s\\S]{0,35}$" }), Type.Union([MailTemplateTranslationInput, Type.Null()]), { additionalProperties: false, maxProperties: 50 }), Type.Null()])),
  version: Type.Optional(Text({ format: "date-time" })),
});

export const DeleteMailTemplateRequest: TSchema = Type.Object({
  kind: Text({ minLength: 1, maxLength: 40 }),
  language: Type.Optional(Text({ pattern: "^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$" })),
});

export const PreviewMailTemplateRequest: TSchema = Type.Object({
  kind: Text({ minLength: 1, maxLength: 40 }),
  language: Type.Optional(Type.Union([Text({ pattern: "^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$" }), Type.Null()])),
  subject: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 500 }), Type.Null()])),
  html: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 60000 }), Type.Null()])),
  text: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 30000 }), Type.Null()])),
  order_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
});

export const RenderedMailTemplate: TSchema = Type.Object({
  subject: Type.String(),
  html: Type.String(),
  text: Type.String(),
});

export const PreviewMailTemplateResponse: TSchema = Type.Object({
  preview: RenderedMailTemplate,
});
