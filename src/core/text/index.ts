/**
 * Plain text and its HTML: entities, lengths, formatting. Pure; knows neither accounts nor rows.
 */
export { countGraphemes, countNote, countStatus } from './count.ts'
export { markShortcodes, shortcodesIn } from './emoji.ts'
export { formatField, formatNote, formatStatus, rewriteMentions } from './format.ts'
export type { FormatContext, MentionedAccount } from './format.ts'
export { isValidTag } from './hashtag.ts'
export { renderMarkdown } from './markdown.ts'
export { escapeHtml, htmlToText, possibleHtmlToText } from './plain.ts'
export { recognise } from './recognise.ts'

export { displayTag, hasTagLength, normaliseTag, tagUrl } from './tag.ts'
export { countCodePoints, cutCodePoints } from './truncate.ts'
export { verifiableUrl } from './verifiable.ts'
