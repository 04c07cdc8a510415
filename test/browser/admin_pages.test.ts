import { test } from 'tap'
import { inspectSignedIn, WITHOUT } from './signed_in_pages.ts'

test('every page of the staff opens without errors, fits and is accessible, light and dark', WITHOUT, t =>
  inspectSignedIn(t, /^\/admin\b/),
)
