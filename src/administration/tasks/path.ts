/** The path of the page of background tasks. */
export const TASKS_PATH = '/admin/tasks'
