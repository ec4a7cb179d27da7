import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const hasLibreOffice = spawnSync('soffice', ['--version']).status === 0;

/** What a file is opened and saved as; both by LibreOffice's names of its filters. */
export type Conversion = { from: string; opens: string; to: string; saves: string; options?: string };

/**
 * A file that cannot be saved is missing afterwards: a message box would wait for somebody for
 * ever.
 */
const macro = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE script:module PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "module.dtd">
<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" script:language="StarBasic">
Function named(key, value)
  Dim pair As New com.sun.star.beans.PropertyValue
  pair.Name = key
  pair.Value = value
  named = pair
End Function
Sub Convert(list)
  On Error Resume Next
  jobs = FreeFile
  Open list For Input As #jobs
  While Not EOF(jobs)
    Line Input #jobs, job
    part = Split(job, "|")
    opened = Array(named("Hidden", True), named("FilterName", part(1)))
    book = StarDesktop.loadComponentFromURL(ConvertToURL(part(0)), "_blank", 0, opened)
    book.storeToURL(ConvertToURL(part(2)), Array(named("FilterName", part(3)), named("FilterOptions", part(4))))
    book.close(True)
  Wend
  Close #jobs
End Sub
</script:module>
`;

/**
 * Opens each file and saves it in another format, all in one run of LibreOffice: to start it takes
 * longer than all the rest. Its profile lies in the folder too, so that several can run at once.
 */
export const converted = (folder: string, conversions: readonly Conversion[]): Buffer[] => {
  const run = (...args: string[]) =>
    execFileSync(
      'soffice',
      [`-env:UserInstallation=file://${folder}/profile`, '--headless', '--norestore', ...args],
      { stdio: 'ignore' },
    );
  // Makes the profile, which the macro then becomes part of.
  run('--terminate_after_init');
  writeFileSync(join(folder, 'profile/user/basic/Standard/Module1.xba'), macro);
  const jobs = conversions.map(({ from, opens, to, saves, options = '' }) =>
    [join(folder, from), opens, join(folder, to), saves, options].join('|'),
  );
  writeFileSync(join(folder, 'jobs.txt'), `${jobs.join('\n')}\n`);
  run(`macro:///Standard.Module1.Convert("${join(folder, 'jobs.txt')}")`);
  return conversions.map(({ to }) => readFileSync(join(folder, to)));
};
