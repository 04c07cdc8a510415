import { readFileSync } from 'node:fs'

/** How a list pages by the contract. */
export interface Paged {
  readonly path: string
  readonly usual: number
  readonly most: number
  /** The parameter of the link to the page before; null for a list without links. */
  readonly prev: 'min_id' | 'since_id' | 'offset' | null
}

/**
 * Every list of the API that has pages: its sizes were copied once from the project's own
 * description of the API.
 */
export const CONTRACT = JSON.parse(
  readFileSync(new URL('../../contract/pages.json', import.meta.url), 'utf8'),
) as readonly Paged[]
