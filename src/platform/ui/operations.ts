import { asset } from './asset.ts'

const STYLE = new URL('style.css', import.meta.url)

export const operations = [asset('/assets/style.css', STYLE, 'text/css', 'Style sheet of the HTML pages')]
