import { html } from '../../platform/ui/index.ts'

/** The additional style sheet of pages with statuses and profiles. */
export const STYLE = html`<link rel="stylesheet" href="/assets/public.css" />`
