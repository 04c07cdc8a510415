import { readFileSync } from 'node:fs'

/*
 * The contract of the API as data (test/contract): facts gathered from the public documentation of
 * the Mastodon client API 4.7 and from observed responses of its servers. Copied once from the
 * project's own description of that API, and kept small:
 *   operations.json  a line for each operation: its callers, its response, its errors without a
 *                    token or without a user
 *   entities.json    a type for each field of each entity; `?` after a name: may be missing;
 *                    a dotted name: a member of a hash
 */

/** An operation of the contract. */
export interface ContractOperation {
  /** Its part of the API. */
  readonly group: string
  readonly method: string
  readonly path: string
  readonly auth: 'public' | 'optional' | 'app' | 'user' | 'admin'
  /** Any of them suffices. */
  readonly scopes: readonly string[]
  readonly permissions?: readonly string[]
  /** Exists in older servers; may be missing. */
  readonly removed?: true
  /** The entity of a success. */
  readonly status: number
  readonly body: string
  /** Status and text of the error without a token. */
  readonly noToken?: readonly [number, string]
  /** Status and text of the error for an application's own token. */
  readonly noUser?: readonly [number, string]
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../contract/${name}.json`, import.meta.url), 'utf8'))

/** Every operation of the contract. */
export const contractOperations = read('operations') as readonly ContractOperation[]

/** The fields of each entity, name to type. */
export const entities = read('entities') as Readonly<Record<string, Readonly<Record<string, string>>>>

/** Method and path; the names of parameters are ignored. */
export const keyOf = (method: string, path: string): string => `${method} ${path.replace(/:\w+/g, ':')}`
