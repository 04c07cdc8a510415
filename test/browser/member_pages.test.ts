import { test } from 'tap'
import { inspectSignedIn, WITHOUT } from './signed_in_pages.ts'

/** Pages that are different for who is signed in; public_pages.test.ts opens the others. */
const MEMBER = /^\/(?:$|start$|@\w+$|(?:settings|auth|oauth|invites|disputes|severed_relationships|statuses_cleanup)\b)/

test('every page of a member opens without errors, fits and is accessible, light and dark', WITHOUT, t =>
  inspectSignedIn(t, MEMBER),
)
