/** The page of the staff's long work. */
export const TASKS_PATH = '/admin/tasks'
