// Generated from stoa/v1/category.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Deleted } from './shared.ts';

/** Texts of a category in another language. A field without a translation is read in the store's `language`. */
export type CategoryTranslation = {
  name?: string | null;
  description?: string | null;
};

/** Texts of a category in another language. A field without a translation is read in the store's `language`. */
export type CategoryTranslationInput = {
  name?: string | null;
  description?: string | null;
};

export type ProductSubcategory = {
  id: string;
  name: string;
  slug: string;
  product_count: number;
  /** Shown to a secret key that names no `language`, where there are any. */
  translations?: Record<string, CategoryTranslation>;
  updated_at: string;
};

/** A category at the top. */
export type ProductCategory = {
  id: string;
  name: string;
  slug: string;
  description: string | null;
  /** Active products in it, its subcategories' too. */
  product_count: number;
  subcategories: readonly ProductSubcategory[];
  /** Shown to a secret key that names no `language`, where there are any. */
  translations?: Record<string, CategoryTranslation>;
  updated_at: string;
};

export type ListCategoriesRequest = {
  /** Comma-separated names of a category's fields to return. */
  fields?: string;
  /** Language of the texts, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
};

export type ListCategoriesResponse = {
  categories: readonly ProductCategory[];
};

export type CreateCategoryRequest = {
  name: string;
  description?: string | null;
  /** A top category; null makes this one a top category. */
  parent_id?: string | null;
  /**
   * Translations by the tag of a language among the store's `languages`. A change merges them by language and by field; null
   * removes a language or a field. The bound is 256 kB of JSON.
   */
  translations?: Record<string, CategoryTranslationInput | null> | null;
};

export type UpdateCategoryRequest = {
  id: string;
  name?: string;
  description?: string | null;
  /** Place among its siblings, counted from 1; they move up or down. A place behind the last one is the last. */
  position?: number;
  /**
   * Translations by the tag of a language among the store's `languages`. A change merges them by language and by field; null
   * removes a language or a field. The bound is 256 kB of JSON.
   */
  translations?: Record<string, CategoryTranslationInput | null> | null;
  /** A top category, or null for the top. A category that moves without a `position` stands behind its new siblings. */
  parent_id?: string | null;
  /** The `updated_at` that the change is based on. If the category has changed since then, the answer is 409 `conflict`. */
  version?: string;
};

export type DeleteCategoryRequest = {
  id: string;
};

/** A category as a write answers it, at the top or below it. */
export type WrittenCategory = {
  id: string;
  name: string;
  slug: string;
  description: string | null;
  /** Null at the top. */
  parent_id: string | null;
  product_count: number;
  subcategories: readonly ProductSubcategory[];
  /** Shown to a secret key that names no `language`, where there are any. */
  translations?: Record<string, CategoryTranslation>;
  updated_at: string;
};

export type CategoryResponse = {
  category: WrittenCategory;
};

/**
 * Categories and their subcategories.
 * @internal
 */
export interface CategoryRpcs {
  ListCategories: { request: ListCategoriesRequest; response: ListCategoriesResponse };
  CreateCategory: { request: CreateCategoryRequest; response: CategoryResponse };
  UpdateCategory: { request: UpdateCategoryRequest; response: CategoryResponse };
  DeleteCategory: { request: DeleteCategoryRequest; response: Deleted };
}
