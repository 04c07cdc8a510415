import { readFileSync } from 'node:fs'

/** The paging of a list in the contract. */
export interface Paged {
  readonly path: string
  readonly usual: number
  readonly most: number
  /** The parameter of the previous link; null for a list without links. */
  readonly prev: 'min_id' | 'since_id' | 'offset' | null
}

/** Every list of the API with pages; the sizes were copied once from the project's contract. */
export const CONTRACT = JSON.parse(
  readFileSync(new URL('../../contract/pages.json', import.meta.url), 'utf8'),
) as readonly Paged[]
