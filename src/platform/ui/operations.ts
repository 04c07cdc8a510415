import { asset } from './asset.ts'
import { PREVIEW_SCRIPT } from './field.ts'

const file = (name: string): URL => new URL(name, import.meta.url)

export const operations = [
  asset('/assets/style.css', file('style.css'), 'text/css', 'Style sheet of the HTML pages'),
  asset(
    PREVIEW_SCRIPT,
    file('picture_preview.js'),
    'text/javascript',
    'Script that shows pictures before their upload',
  ),
  asset('/assets/batch.js', file('batch.js'), 'text/javascript', 'Script of lists whose entries can be chosen'),
]
