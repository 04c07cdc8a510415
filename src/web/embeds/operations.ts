import { asset } from '../../platform/ui/index.ts'
import { showEmbed } from './embed_page.ts'
import { showOEmbed } from './oembed.ts'

const file = (name: string): URL => new URL(name, import.meta.url)

/** Embedding of statuses in other sites. */
export const operations = [
  showOEmbed,
  showEmbed,
  // The script for other sites: it replaces quotations by frames.
  asset('/embed.js', file('embed.js'), 'text/javascript', 'Script that embeds statuses in a page'),
  asset('/assets/embedded.js', file('embedded.js'), 'text/javascript', 'Script of the page of an embedded status'),
  asset('/assets/embed.css', file('embed.css'), 'text/css', 'Style sheet of embedded statuses'),
]
