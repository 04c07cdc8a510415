import { showEmbed } from './embed_page.ts'
import { showFrameScript, showScript, showStyle } from './files.ts'
import { showOEmbed } from './oembed.ts'

/** Statuses on the pages of other sites. */
export const operations = [showOEmbed, showEmbed, showScript, showFrameScript, showStyle]
