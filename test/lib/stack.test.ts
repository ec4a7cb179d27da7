// In one process: the first synthesis costs several times what each further one does.
import './suites/api-template.ts';
import './suites/console.ts';
import './suites/deployable.ts';
import './suites/deployed-functions.ts';
import './suites/doors.ts';
import './suites/operations.ts';
import './suites/rules.ts';
import './suites/settings.ts';
import './suites/template.ts';
