import { html } from '../../platform/ui/index.ts'

/** The sheet that pages with statuses and profiles need beside that of all pages. */
export const STYLE = html`<link rel="stylesheet" href="/assets/public.css" />`
