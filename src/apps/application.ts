/** What of an application its own owner may see, as entity Application has it. */
export interface Application {
  readonly id: string
  readonly name: string
  readonly website: string | null
  readonly scopes: readonly string[]
  readonly redirect_uris: readonly string[]
}

/** The entity Application in its full form, with the server's VAPID key. */
export const renderApplication = (application: Application, vapidKey: string): object => ({
  id: application.id,
  name: application.name,
  website: application.website,
  scopes: application.scopes,
  redirect_uris: application.redirect_uris,
  redirect_uri: application.redirect_uris.join('\n'),
  vapid_key: vapidKey,
})
