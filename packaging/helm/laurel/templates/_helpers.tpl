{{- define "laurel.name" -}}
{{- printf "%s" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "laurel.selector" -}}
app.kubernetes.io/name: laurel
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "laurel.labels" -}}
{{ include "laurel.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "laurel.serviceAccount" -}}
{{- if .Values.serviceAccount.name }}{{ .Values.serviceAccount.name }}
{{- else if .Values.serviceAccount.create }}{{ include "laurel.name" . }}
{{- else }}default
{{- end -}}
{{- end -}}

{{- define "laurel.image" -}}
{{- $repository := required "image.repository: where you have pushed the image of packaging/Dockerfile" .Values.image.repository -}}
{{- if .Values.image.digest }}{{ $repository }}@{{ .Values.image.digest }}
{{- else }}{{ $repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end -}}
{{- end -}}

{{- define "laurel.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "laurel.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- /* The address of the database; .key says which of the Secret's. */ -}}
{{- define "laurel.databaseEnv" -}}
- name: LAUREL_DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ required "database.secret: the Secret with the address of the PostgreSQL database" .root.Values.database.secret }}
      key: {{ .key }}
{{- end -}}
