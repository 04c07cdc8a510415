import { Marked } from 'marked'
import { escapeHtml } from './plain.ts'

/** HTML in the source is escaped, and images are omitted. */
const marked = new Marked({
  async: false,
  renderer: {
    html: ({ text }) => escapeHtml(text),
    image: ({ text }) => escapeHtml(text),
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens)
      return /^(https?:|mailto:|\/|#)/i.test(href) ? `<a href="${escapeHtml(href)}">${text}</a>` : text
    },
  },
})

/** Renders an administrator's Markdown as HTML. */
export const renderMarkdown = (text: string): string => marked.parse(text, { async: false }).trim()
