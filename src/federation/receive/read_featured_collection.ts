import { findLanguage } from '../../core/languages/index.ts'
import { cutCodePoints, htmlToText } from '../../core/text/index.ts'
import { idOf, isObject, sameHost, textOf, typesOf, type JsonObject } from '../protocol/index.ts'
import { linkOf } from './note_parts.ts'

const MAX_NAME = 256
const MAX_DESCRIPTION = 2048

/**
 * Parses a FeaturedCollection (FEP-7aa9); undefined for any other document or another curator's.
 */
export function readFeaturedCollection(document: JsonObject, curator: string) {
  const uri = textOf(document['id'])
  const name = cutCodePoints(textOf(document['name']) ?? '', MAX_NAME)
  if (uri === undefined || !typesOf(document).includes('FeaturedCollection') || name === '') return undefined
  if (idOf(document['attributedTo']) !== curator) return undefined
  const map = document['summaryMap']
  const [language] = isObject(map) ? Object.keys(map) : []
  const page = linkOf(document['url'], type => type === 'text/html')
  const summary = textOf(document['summary']) ?? (isObject(map) ? textOf(Object.values(map)[0]) : undefined)
  return {
    uri,
    // This server redirects to it.
    page: page !== undefined && sameHost(page, curator) ? page : null,
    name,
    description: summary === undefined ? null : cutCodePoints(htmlToText(summary), MAX_DESCRIPTION),
    language: findLanguage(language ?? '') ?? null,
    sensitive: document['sensitive'] === true,
    discoverable: document['discoverable'] === true,
  }
}
